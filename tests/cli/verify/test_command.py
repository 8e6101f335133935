"""`undersign verify`: its output for people and programs, and its exit codes."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from adapters.object_store.local import LocalObjectStore
from application.documents.render_jobs import render_certificate
from cli.backends import open_repositories
from cli.verify.command import ExitCode
from cli.verify.session import SessionRecords, check_history
from config.settings import Settings
from domain.audit.verification_report import Outcome
from domain.ports.administrative_acts import ActKind, AdministrativeAct, Change
from domain.session.materials import Materials
from domain.session.session import Session, SessionFile
from domain.shared.object_names import ObjectReference
from tests.application.test_certificate import facts, signed_session
from tests.builders import reference
from tests.cli.commands import Answer, undersign
from tests.cli.verify.trusted_seals import SEALS_PEM, trust_seals
from tests.fakes.seals import REFERENCE
from tests.pades.verification.sealed_files import pages, sealed
from tests.pades.verification.tampering import TOOLS

Verify = Callable[..., Answer]


@pytest.fixture
def verify(tmp_path: Path) -> Verify:
    """Runs `undersign verify` with trust in the seals of the tests."""
    (tmp_path / "seals.pem").write_bytes(SEALS_PEM)
    return partial(undersign, tmp_path, "verify", "--trust", str(tmp_path / "seals.pem"))


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "agreement.pdf"
    path.write_bytes(sealed(pages(1)))
    return path


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "certificate.pdf"
    path.write_bytes(sealed(render_certificate(facts()), statement=facts().statement))
    return path


def test_a_genuine_document_passes(verify: Verify, document: Path) -> None:
    answer = verify(str(document))

    assert (answer.code, answer.err) == (ExitCode.ALL_HOLDS, "")
    assert answer.out.splitlines()[:2] == [
        str(document),
        "Genuine: it was sealed with a key that is trusted here, and has not been changed since. " + REFERENCE.text,
    ]
    assert "FAILS" not in answer.out


def test_a_certificate_passes_without_a_network(verify: Verify, certificate: Path) -> None:
    answer = verify(str(certificate), HTTPS_PROXY="http://127.0.0.1:1", HTTP_PROXY="http://127.0.0.1:1")

    assert answer.code == ExitCode.ALL_HOLDS
    assert "The chain of its 12 events is intact" in answer.out
    assert "Its pages say the same" in answer.out


def test_a_changed_document_fails(verify: Verify, document: Path) -> None:
    document.write_bytes(TOOLS["a comment added by MuPDF"](document.read_bytes()))
    answer = verify(str(document))

    assert answer.code == ExitCode.NOT_ALL_HOLDS
    assert "Changed: it was changed after it was sealed." in answer.out


def test_a_document_is_checked_against_its_certificate(verify: Verify, document: Path, certificate: Path) -> None:
    answer = verify(str(certificate), str(document), "--json")
    result = json.loads(answer.out)
    of_certificate, of_document = result["files"]

    assert (answer.code, result["allHolds"]) == (ExitCode.NOT_ALL_HOLDS, False)
    assert (of_certificate["file"], of_certificate["verdict"]) == (str(certificate), "genuine")
    assert of_certificate["certificate"]["session"]["name"] == "Consulting agreement"
    assert of_certificate["seal"]["level"] == "B-B"
    assert of_document["verdict"] == "contradictory"
    assert of_document["findings"][-1]["check"] == "document"


@pytest.mark.parametrize("content", [b"no pdf", b"%PDF-1.7\nnothing"])
def test_an_unreadable_file_ends_with_two(verify: Verify, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.pdf").write_bytes(content)
    answer = verify(str(tmp_path / "odd.pdf"))
    assert (answer.code, "Not readable" in answer.out) == (ExitCode.NOT_READABLE, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ""),
        (["missing.pdf"], ""),
        (["--session", "x"], ""),
        (["a.pdf", "--session", "x"], ""),
        ([__file__, "--trust", __file__], "PEM"),
    ],
)
def test_an_invalid_command_ends_with_two(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert undersign(tmp_path, "verify", *arguments).refuses(words)


def test_an_installation_trusts_its_own_seals(tmp_path: Path, document: Path) -> None:
    trust_seals(tmp_path / "service")
    assert undersign(tmp_path / "service", "verify", str(document)).code == ExitCode.ALL_HOLDS
    assert undersign(tmp_path / "another", "verify", str(document)).code == ExitCode.NOT_ALL_HOLDS


# The history of a session, in the database


SESSION, EVENTS = signed_session()


OTHER, OTHER_EVENTS = signed_session(user_agent="another")
SHORTER = SESSION.model_copy(update={"sequence": len(EVENTS) - 1, "head": EVENTS[-2].hash})


def repair(*lost: int) -> AdministrativeAct:
    """The act of a repair that recorded these events as lost."""
    change = Change(ActKind.SESSION_REPAIRED, SESSION.session_id, after={"lostEvents": [*lost]})
    return AdministrativeAct("act", SESSION.organisation_id, SESSION.created_at, "system", "undersign", None, change)


HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        (SessionRecords(SESSION, EVENTS, SESSION), [HOLDS, HOLDS]),
        (SessionRecords(SESSION, EVENTS, None), [HOLDS, OPEN]),
        (SessionRecords(SESSION, OTHER_EVENTS, SESSION), [HOLDS, FAILS, FAILS]),
        (SessionRecords(OTHER, OTHER_EVENTS, SESSION), [HOLDS, FAILS]),
        (SessionRecords(SESSION, EVENTS[:-1], SESSION), [HOLDS, FAILS, FAILS]),
        (SessionRecords(SHORTER, EVENTS[:-1], SESSION), [HOLDS, FAILS]),
        (SessionRecords(SESSION, None, None), [FAILS]),
        (SessionRecords(SESSION, (), SESSION, (repair(*range(1, len(EVENTS) + 1)),)), [OPEN, HOLDS, HOLDS]),
        (SessionRecords(SESSION, (), SHORTER, (repair(*range(1, len(EVENTS) + 1)),)), [OPEN, HOLDS, FAILS]),
        (SessionRecords(SESSION, (), SESSION, (repair(1, 2),)), [OPEN, HOLDS, FAILS, FAILS]),
    ],
    ids=[
        "intact",
        "no workflow",
        "other events",
        "other session",
        "no end",
        "shorter session",
        "unreadable event",
        "all lost",
        "all lost, another workflow",
        "more lost than recorded",
    ],
)
def test_a_history_is_checked_against_itself_its_row_and_its_workflow(
    records: SessionRecords, expected: list[Outcome]
) -> None:
    assert [finding.outcome for finding in check_history(records)] == expected


def checked(data_dir: Path) -> Answer:
    return undersign(
        data_dir, "verify", "--session", SESSION.session_id, "--organisation", SESSION.organisation_id,
        UNDERSIGN_TEMPORAL_ADDRESS="127.0.0.1:1",
    )  # fmt: skip


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """With the signed session in its database, and its objects."""
    objects = LocalObjectStore(tmp_path / "objects", bytes(32), "http://localhost")

    def generate(session: Session, file: SessionFile) -> ObjectReference:
        materials = Materials.of(session, file)
        pdf = sealed(pages(1), statement=materials.statement)
        return asyncio.run(objects.put(materials.signed_name, pdf, "application/pdf"))

    session, events = signed_session(generate=generate)

    async def keep() -> None:
        for person in session.recipients:
            name = f"{person.key}.json"
            await objects.put(reference(name).name, name.encode(), "application/json")
        async with open_repositories(Settings(data_dir=tmp_path)) as repositories:
            await repositories.sessions.record(session, events)

    asyncio.run(keep())
    trust_seals(tmp_path)
    return tmp_path


def test_operators_check_the_history_in_the_database(data_dir: Path) -> None:
    answer = checked(data_dir)
    assert answer.code == ExitCode.ALL_HOLDS
    assert "The chain of 12 events in the database is intact." in answer.out


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET event = json_set(event, '$.ip', '198.51.100.1') WHERE sequence = 4",
        "UPDATE events SET event = json_set(event, '$.at', '2026-06-12T12:00:00.001Z') WHERE sequence = 12",
        "UPDATE events SET event = json_set(event, '$.type', 'session.odd') WHERE sequence = 2",
        "DELETE FROM events WHERE sequence = 7",
        "DELETE FROM events WHERE sequence = 12",
        "DELETE FROM events",
    ],
)
def test_a_changed_or_deleted_row_fails(data_dir: Path, statement: str) -> None:
    (file,) = [path for path in data_dir.iterdir() if path.is_file() and path.read_bytes().startswith(b"SQLite")]
    with sqlite3.connect(file) as database:
        assert database.execute(statement).rowcount > 0

    answer = checked(data_dir)

    assert answer.code == ExitCode.NOT_ALL_HOLDS
    assert "FAILS" in answer.out


def test_an_unknown_session_is_refused(data_dir: Path) -> None:
    answer = undersign(
        data_dir, "verify", "--session", SESSION.organisation_id, "--organisation", SESSION.organisation_id
    )

    assert (answer.code, answer.out) == (ExitCode.NOT_READABLE, "")
    assert "no session of that id" in answer.err

"""`undersign receipt`: shown, checked here and elsewhere, refused if another service signed it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from adapters.keys.secret_keys import ensure_keys
from cli.backends import open_repositories
from config.settings import Settings
from domain.audit.deletion_receipts import sign_receipt
from tests.builders import NOON, ORGANISATION, created, identifier
from tests.cli.commands import Answer, undersign

SESSION = created().session.session_id
FACTS: Mapping[str, str | int] = {
    "sessionId": SESSION,
    "organisationId": ORGANISATION,
    "erasedAt": "2026-06-12T12:00:00.000Z",
    "completedAt": "2026-06-12T12:00:05.000Z",
    "objects": 4,
    "workflowRuns": 2,
}


def erase(data_dir: Path, receipt: str | None) -> None:
    """Erases the session, and stores `receipt`, if any."""

    async def store() -> None:
        async with open_repositories(Settings(data_dir=data_dir)) as repositories:
            await repositories.sessions.erase(ORGANISATION, SESSION, NOON)
            if receipt:
                await repositories.sessions.store_receipt(ORGANISATION, SESSION, receipt)

    asyncio.run(store())


@pytest.fixture
def receipt(tmp_path: Path) -> str:
    """The receipt of a session that was erased by the service in `tmp_path`."""
    signed = sign_receipt(ensure_keys(tmp_path / "keys").receipt, FACTS)
    erase(tmp_path, signed)
    return signed


def shown(data_dir: Path, *arguments: str, organisation: str = ORGANISATION) -> Answer:
    return undersign(data_dir, "receipt", "show", SESSION, "--organisation", organisation, *arguments)


def test_the_receipt_of_an_erased_session_is_checked_and_shown(tmp_path: Path, receipt: str) -> None:
    answer = shown(tmp_path)
    lines = answer.out.splitlines()

    assert (answer.code, answer.err) == (0, "")
    assert lines[0] == "The signature is good."
    assert lines[-1] == receipt
    assert [value for value in FACTS.values() if str(value) not in answer.out] == []
    assert shown(tmp_path, "--json").json() == {**FACTS, "receipt": receipt}


def test_a_receipt_is_checked_elsewhere_with_the_public_key(tmp_path: Path, receipt: str) -> None:
    exported = undersign(tmp_path, "receipt", "key").out
    (tmp_path / "public.pem").write_text(exported)
    (tmp_path / "receipt.txt").write_text(f"{receipt}\n")
    arguments = ("receipt", "check", str(tmp_path / "receipt.txt"), "--key", str(tmp_path / "public.pem"), "--json")

    assert exported.startswith("-----BEGIN PUBLIC KEY-----")
    assert "PRIVATE" not in exported
    assert undersign(tmp_path / "elsewhere", *arguments).json() == FACTS


def test_a_changed_or_foreign_receipt_is_refused(tmp_path: Path, receipt: str) -> None:
    head, _, signature = receipt.split(".")
    forged = sign_receipt(ensure_keys(tmp_path / "others").receipt, {**FACTS, "objects": 0})
    file = tmp_path / "receipt.txt"
    for wrong in (f"{head}.{forged.split('.')[1]}.{signature}", forged, "no receipt", "a.b.c", ""):
        file.write_text(wrong)
        assert undersign(tmp_path, "receipt", "check", str(file)).refuses("", code=1)


def test_a_session_of_another_organisation_has_no_receipt(tmp_path: Path, receipt: str) -> None:
    assert shown(tmp_path, organisation=identifier("stranger")).refuses("no permanently deleted session", code=1)


def test_the_receipt_of_a_session_that_is_being_erased_comes_later(tmp_path: Path) -> None:
    ensure_keys(tmp_path / "keys")
    erase(tmp_path, None)
    assert shown(tmp_path).refuses(f"erasure/{SESSION}", code=1)


def test_a_signed_receipt_of_another_session_is_refused(tmp_path: Path) -> None:
    key = ensure_keys(tmp_path / "keys").receipt
    erase(tmp_path, sign_receipt(key, {**FACTS, "sessionId": identifier("another")}))
    assert shown(tmp_path).refuses("another session", code=1)


def test_no_key_is_created_where_no_service_has_run(tmp_path: Path) -> None:
    assert undersign(tmp_path / "empty", "receipt", "key").refuses("UNDERSIGN_DATA_DIR")
    assert not (tmp_path / "empty" / "keys").exists()

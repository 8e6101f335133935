"""Receipts on the command line: shown, checked here and elsewhere, refused when they are not ours."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from adapters.keys.secret_keys import ensure_keys
from cli.backends import open_repositories
from domain.audit.deletion_receipts import sign_receipt
from settings import Settings
from tests.builders import NOON, ORGANISATION, created, identifier
from tests.cli.commands import undersign

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
    """Has a tombstone stand where the session was, with `receipt` once there is one."""

    async def bury() -> None:
        async with open_repositories(Settings(data_dir=data_dir)) as repositories:
            await repositories.sessions.erase(ORGANISATION, SESSION, NOON)
            if receipt:
                await repositories.sessions.store_receipt(ORGANISATION, SESSION, receipt)

    asyncio.run(bury())


@pytest.fixture
def receipt(tmp_path: Path) -> str:
    """The receipt of a session that was erased by the service in `tmp_path`."""
    signed = sign_receipt(ensure_keys(tmp_path / "keys").receipt, FACTS)
    erase(tmp_path, signed)
    return signed


def test_the_receipt_of_an_erased_session_is_checked_and_shown(tmp_path: Path, receipt: str) -> None:
    answer = undersign(tmp_path, "receipt", "show", SESSION, "--organisation", ORGANISATION)

    lines = answer.out.splitlines()
    assert (answer.code, answer.err) == (0, "")
    assert lines[0] == "The signature is good."
    assert lines[-1] == receipt
    assert [value for value in FACTS.values() if str(value) not in answer.out] == []


def test_programs_get_the_facts_as_json(tmp_path: Path, receipt: str) -> None:
    answer = undersign(tmp_path, "receipt", "show", SESSION, "--organisation", ORGANISATION, "--json")

    assert json.loads(answer.out) == {**FACTS, "receipt": receipt}


def test_whoever_has_the_public_key_can_check_a_receipt_elsewhere(tmp_path: Path, receipt: str) -> None:
    exported = undersign(tmp_path, "receipt", "key").out
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "public.pem").write_text(exported)
    (elsewhere / "receipt.txt").write_text(f"{receipt}\n")

    answer = undersign(
        elsewhere, "receipt", "check", str(elsewhere / "receipt.txt"), "--key", str(elsewhere / "public.pem"), "--json"
    )

    assert exported.startswith("-----BEGIN PUBLIC KEY-----")
    assert "PRIVATE" not in exported
    assert json.loads(answer.out) == FACTS


def test_a_receipt_that_was_changed_or_that_others_signed_is_refused(tmp_path: Path, receipt: str) -> None:
    head, _, signature = receipt.split(".")
    forged = sign_receipt(ensure_keys(tmp_path / "others").receipt, {**FACTS, "objects": 0})
    found = tmp_path / "receipt.txt"
    for wrong in (f"{head}.{forged.split('.')[1]}.{signature}", forged, "no receipt", "a.b.c", ""):
        found.write_text(wrong)

        answer = undersign(tmp_path, "receipt", "check", str(found))

        assert (answer.code, answer.out) == (1, "")
        assert len(answer.err.splitlines()) == 1


def test_a_session_of_another_organisation_has_no_receipt(tmp_path: Path, receipt: str) -> None:
    answer = undersign(tmp_path, "receipt", "show", SESSION, "--organisation", identifier("stranger"))

    assert answer.code == 1
    assert "no permanently deleted session" in answer.err
    assert receipt not in answer.out


def test_while_a_session_is_being_erased_the_command_says_so(tmp_path: Path) -> None:
    ensure_keys(tmp_path / "keys")
    erase(tmp_path, None)

    answer = undersign(tmp_path, "receipt", "show", SESSION, "--organisation", ORGANISATION)

    assert answer.code == 1
    assert f"erasure/{SESSION}" in answer.err


def test_a_receipt_of_another_session_is_refused_even_under_our_signature(tmp_path: Path) -> None:
    key = ensure_keys(tmp_path / "keys").receipt
    erase(tmp_path, sign_receipt(key, {**FACTS, "sessionId": identifier("another")}))

    answer = undersign(tmp_path, "receipt", "show", SESSION, "--organisation", ORGANISATION)

    assert answer.code == 1
    assert "another session" in answer.err


def test_where_no_service_has_run_no_key_is_made(tmp_path: Path) -> None:
    answer = undersign(tmp_path / "empty", "receipt", "key")

    assert answer.code == 2
    assert "UNDERSIGN_DATA_DIR" in answer.err
    assert not (tmp_path / "empty" / "keys").exists()

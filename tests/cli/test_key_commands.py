"""`undersign key` and `undersign payload-key`: rotation, retirement and lists."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.keys.access_token_keys import FileAccessKeys
from adapters.keys.key_folder import ensure_all
from adapters.keys.secret_keys import read_key
from application.errors import Unauthorized
from application.oauth.access_tokens import AccessTokens
from tests.api.service import BASE_URL, EVERYTHING, OWN
from tests.cli.conftest import Command
from workflows.sdk.config import read_payload_keys


@pytest.fixture
def running(tmp_path: Path) -> AccessTokens:
    """What a service that runs on the data directory issues and reads tokens with."""
    return AccessTokens(FileAccessKeys(tmp_path / "keys"), BASE_URL)


def keys(command: Command, *arguments: str) -> list[Any]:
    return list(command("key", *arguments, "--json").json()["keys"])


def test_the_first_key_signs(command: Command, running: AccessTokens) -> None:
    (key,) = keys(command, "list")

    assert (key["state"], key["until"]) == ("signs", None)
    assert key["keyId"] in command("key", "list").out


def test_after_a_rotation_a_running_service_signs_with_the_new_key_and_takes_tokens_of_the_old(
    command: Command, running: AccessTokens
) -> None:
    now = datetime.now(UTC)
    old, token = keys(command, "list")[0]["keyId"], running.issue(OWN, EVERYTHING, now)

    rotated = keys(command, "rotate")

    assert [(key["state"], key["keyId"] == old) for key in rotated] == [("signs", False), ("verifies", True)]
    assert now + timedelta(hours=1) < datetime.fromisoformat(rotated[1]["until"])
    assert rotated == keys(command, "list")
    assert running.read(token, now).client_id == OWN.client_id
    published: Any = running.public_keys(now)["keys"]
    assert [key["kid"] for key in published] == [key["keyId"] for key in rotated]


def test_a_key_that_is_retired_ends_its_tokens_at_once(command: Command, running: AccessTokens) -> None:
    old, token = keys(command, "list")[0]["keyId"], running.issue(OWN, EVERYTHING, datetime.now(UTC))
    keys(command, "rotate")

    assert [key["state"] for key in keys(command, "retire", old)] == ["signs"]
    with pytest.raises(Unauthorized):
        running.read(token, datetime.now(UTC))


def test_the_key_that_signs_is_not_retired(command: Command, running: AccessTokens) -> None:
    answer = command("key", "retire", keys(command, "list")[0]["keyId"])

    assert (answer.code, "undersign key rotate" in answer.refusal()) == (2, True)


@pytest.mark.parametrize("key", ["nobody", "-nobody", "--nobody", "-"])
def test_a_key_that_is_not_there_is_said_in_one_line(command: Command, running: AccessTokens, key: str) -> None:
    answer = command("key", "retire", key)

    assert (answer.code, "undersign key list" in answer.refusal()) == (2, True)


@pytest.mark.parametrize("act", [("list",), ("rotate",), ("retire", "nobody")])
def test_where_no_service_has_run_no_key_is_made(command: Command, tmp_path: Path, act: tuple[str, ...]) -> None:
    answer = command("key", *act)

    assert (answer.code, "UNDERSIGN_DATA_DIR" in answer.refusal()) == (2, True)
    assert not (tmp_path / "keys").exists()


def test_a_damaged_key_is_said_in_one_line(command: Command, running: AccessTokens, tmp_path: Path) -> None:
    (tmp_path / "keys" / "access-token.pem").write_text("damaged")

    for act in ("list", "rotate"):
        answer = command("key", act)

        assert (answer.code, "access-token.pem" in answer.refusal()) == (2, True)


def test_a_key_of_another_name_is_rotated_and_retired(command: Command, running: AccessTokens, tmp_path: Path) -> None:
    ensure_all(tmp_path / "keys", has_local_seal=False)
    before = read_key(tmp_path / "keys", "webhook.key")

    rotated = command("key", "rotate", "webhook", "--json").json()
    retired = command("key", "retire", "webhook", "--json").json()

    assert (rotated["formerKeys"], retired["formerKeys"], retired["restart"]) == (1, 0, True)
    assert before not in read_key(tmp_path / "keys", "webhook.key")
    assert "Restart the API" in command("key", "rotate", "link").out


def test_a_key_of_no_such_name_is_refused(command: Command, running: AccessTokens) -> None:
    refused = command("key", "rotate", "links")

    assert refused.code == 2
    assert "There is no key links. Name one of access-token, cookie, download" in refused.err


def test_new_payload_keys_are_valid_and_differ(command: Command) -> None:
    first, second = command("payload-key", "new").out.strip(), command("payload-key", "new").out.strip()

    assert len(read_payload_keys(f"{first},{second}")) == 2


def test_payload_keys_are_listed_by_their_ids_only(command: Command) -> None:
    keys = ",".join(command("payload-key", "new").out.strip() for _ in range(2))

    listed = command("payload-key", "list", "--json", UNDERSIGN_PAYLOAD_KEYS=keys)

    ids = [key.key_id for key in read_payload_keys(keys)]
    assert listed.json()["keys"] == [
        {"keyId": ids[0], "state": "encrypts"},
        {"keyId": ids[1], "state": "decrypts"},
    ]
    assert keys.partition(",")[0] not in listed.out

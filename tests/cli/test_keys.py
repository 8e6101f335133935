"""`undersign key`, `undersign payload-key` and `undersign operator`."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.all_keys import ensure_all
from adapters.keys.access_token_keys import FileAccessKeys
from adapters.keys.secret_keys import ensure_key, read_key
from application.errors import Unauthorized
from application.operator_tokens import Operators, token_id
from application.tokens.access_tokens import AccessTokens
from tests.api.service import BASE_URL, EVERYTHING, OWN
from tests.cli.conftest import Command
from workflows.sdk.payload_keys_setting import read_payload_keys


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
    assert command("key", "retire", keys(command, "list")[0]["keyId"]).refuses("undersign key rotate")


@pytest.mark.parametrize("key", ["nobody", "-nobody", "--nobody", "-"])
def test_an_unknown_key_is_refused(command: Command, running: AccessTokens, key: str) -> None:
    assert command("key", "retire", key).refuses("undersign key list")


@pytest.mark.parametrize("arguments", [("list",), ("rotate",), ("retire", "nobody")])
def test_no_key_is_created_where_no_service_has_run(
    command: Command, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    assert command("key", *arguments).refuses("UNDERSIGN_DATA_DIR")
    assert not (tmp_path / "keys").exists()


def test_a_damaged_key_is_named(command: Command, running: AccessTokens, tmp_path: Path) -> None:
    (tmp_path / "keys" / "access-token.pem").write_text("damaged")
    for name in ("list", "rotate"):
        assert command("key", name).refuses("access-token.pem")


def test_a_key_of_another_name_is_rotated_and_retired(command: Command, running: AccessTokens, tmp_path: Path) -> None:
    ensure_all(tmp_path / "keys", has_local_seal=False)
    before = read_key(tmp_path / "keys", "webhook.key")

    rotated = command("key", "rotate", "webhook", "--json").json()
    retired = command("key", "retire", "webhook", "--json").json()

    assert (rotated["formerKeys"], retired["formerKeys"], retired["restart"]) == (1, 0, True)
    assert before not in read_key(tmp_path / "keys", "webhook.key")
    assert "Restart the API" in command("key", "rotate", "link").out


def test_an_unknown_name_of_a_key_is_refused(command: Command, running: AccessTokens) -> None:
    refused = command("key", "rotate", "links")
    assert refused.refuses("There is no key links. Name one of access-token, cookie, download")


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


def test_a_token_is_valid_for_its_operator_and_its_hours(command: Command, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    answer = command("operator", "token", "ada", "--hours", "2")
    operators = Operators(ensure_key(tmp_path / "keys", "operator.key"))
    token = answer.out.strip()
    operator = operators.find(token, before)

    assert operator is not None
    assert operator.name == "ada"
    assert operators.find(token, before + timedelta(hours=1, minutes=59)) == operator
    assert operators.find(token, before + timedelta(hours=2, minutes=1)) is None
    assert answer.err == f"Its id in logs is {token_id(token)}.\n"


def test_a_token_is_printed_as_json(command: Command) -> None:
    answer = command("operator", "token", "ada", "--json")

    assert answer.json()["tokenId"] == token_id(answer.json()["token"])
    assert datetime.fromisoformat(answer.json()["until"]) > datetime.now(UTC)
    assert answer.err == ""

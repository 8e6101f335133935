import json

import pytest
from typer.testing import CliRunner

from cli.payload_keys import app
from workflows.sdk.payload_keys import read_payload_keys


def said(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_a_new_key_is_one_that_the_settings_take_and_no_two_are_alike() -> None:
    first, second = said("new").strip(), said("new").strip()
    assert len(read_payload_keys(f"{first},{second}")) == 2


def test_keys_are_listed_by_their_names_only(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = f"{said('new').strip()},{said('new').strip()}"
    monkeypatch.setenv("UNDERSIGN_PAYLOAD_KEYS", keys)

    told = said("list", "--json")

    names = [key.key_id for key in read_payload_keys(keys)]
    assert json.loads(told)["keys"] == [
        {"keyId": names[0], "state": "encrypts"},
        {"keyId": names[1], "state": "decrypts"},
    ]
    assert keys.partition(",")[0] not in told

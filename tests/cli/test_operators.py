import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.keys.secret_keys import ensure_operator_key
from application.operator_tokens import Operators, token_id
from cli.keys import operator_app as app


def test_a_token_lets_in_whom_it_was_made_for_as_long_as_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNDERSIGN_DATA_DIR", str(tmp_path))
    before = datetime.now(UTC)

    done = CliRunner().invoke(app, ["token", "ada", "--hours", "2"], catch_exceptions=False)

    operators = Operators(ensure_operator_key(tmp_path / "keys"))
    token = done.stdout.strip()
    operator = operators.find(token, before)
    assert operator is not None
    assert operator.name == "ada"
    assert operators.find(token, before + timedelta(hours=1, minutes=59)) == operator
    assert operators.find(token, before + timedelta(hours=2, minutes=1)) is None
    assert done.stderr == f"Its id in logs is {token_id(token)}.\n"


def test_a_token_is_printed_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNDERSIGN_DATA_DIR", str(tmp_path))

    done = CliRunner().invoke(app, ["token", "ada", "--json"], catch_exceptions=False)

    printed = json.loads(done.stdout)
    assert printed["tokenId"] == token_id(printed["token"])
    assert datetime.fromisoformat(printed["until"]) > datetime.now(UTC)
    assert done.stderr == ""

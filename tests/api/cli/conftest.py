"""Commands in the process of the tests, on a data directory of the test's own."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from api.cli import main


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def refusal(self) -> str:
        """The one line that says what to do."""
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("undersign: ")
        return line


Command = Callable[..., Answer]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `undersign` with these arguments, and with a text on its standard input."""

    def run(*arguments: str, stdin: str = "") -> Answer:
        monkeypatch.setenv("UNDERSIGN_DATA_DIR", str(tmp_path))
        monkeypatch.setattr("sys.argv", ["undersign", *arguments])
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main.run()
        return Answer(code, *capsys.readouterr())

    return run

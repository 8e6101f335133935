"""`undersign` in the process of the tests: a process of its own takes seconds to load what a command needs."""

import io
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import main


class Answer(NamedTuple):
    """An exit code, and what was written to standard output and standard error."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    def refuses(self, words: str, code: int = 2) -> bool:
        """Whether the command ended with `code` and one line on standard error that contains `words`."""
        lines = self.err.splitlines()
        assert (self.code, self.out, len(lines)) == (code, "", 1), self
        return lines[0].startswith("undersign: ") and words in lines[0]


def undersign(data_dir: Path, *arguments: str, stdin: str = "", **settings: str) -> Answer:
    """Runs a command to its end, with no other settings than these, in a thread without an event loop."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in [name for name in os.environ if name.startswith("UNDERSIGN_")]:
            patch.delenv(name)
        for name, value in {"UNDERSIGN_DATA_DIR": str(data_dir), **settings}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["undersign", *arguments])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        with ThreadPoolExecutor(1) as thread:
            code = thread.submit(main.run).result()
    return Answer(code, out.getvalue(), err.getvalue())

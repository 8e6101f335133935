"""How processes end: each case in a process of its own."""

import subprocess
import sys

import pytest

PROGRAM = """
from adapters.processes.run import run_process
from domain.ports.database import DatabaseUnavailable, MigrationDelayed
from adapters.keys.secret_keys import KeysUnusable
from domain.ports.object_store import StoreUnwritable

async def work():
    {body}

run_process(lambda: work(), "the work failed")
"""


def lived(body: str) -> tuple[int, str]:
    """The exit code of a process whose work is `body`, and all that it said."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)], check=False, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("body", "code", "output"),
    [("print('well', end='')", 0, "well"), ("raise SystemExit(3)", 3, ""), ("raise SystemExit(None)", 1, "")],
)
def test_work_ends_the_process_with_its_code_and_output(body: str, code: int, output: str) -> None:
    assert lived(body) == (code, output)


ADVICE = "('make room on the disk')"


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        *((f"{name}{ADVICE}", [ADVICE[2:-2]]) for name in ("KeysUnusable", "MigrationDelayed", "StoreUnwritable")),
        (
            "DatabaseUnavailable('it does not answer') from ConnectionRefusedError(111, 'refused')",
            ["it does not answer (Connection refused)", "UNDERSIGN_DATABASE_URL"],
        ),
    ],
)
def test_an_error_with_advice_is_one_line(error: str, parts: list[str]) -> None:
    code, output = lived(f"raise {error}")
    assert (code, len(output.splitlines())) == (1, 1)
    assert [part for part in parts if part not in output] == []


def test_any_other_error_has_a_traceback() -> None:
    code, output = lived("raise ZeroDivisionError")
    assert code == 1
    assert "the work failed" in output
    assert "ZeroDivisionError" in output

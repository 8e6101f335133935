"""How processes end: each case in a process of its own."""

import subprocess
import sys

import pytest

PROGRAM = """
from adapters.processes.run import run_process
from ports.database import DatabaseUnavailable, MigrationDelayed
from adapters.keys.secret_keys import KeysUnusable
from ports.object_store import StoreUnwritable

async def work():
    {body}

run_process(lambda: work(), "the work could not go on")
"""


def lived(body: str) -> tuple[int, str]:
    """The exit code of a process whose work is `body`, and all that it said."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)], check=False, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def test_work_that_ends_ends_the_process_with_0_and_all_that_it_said() -> None:
    assert lived("print('well', end='')") == (0, "well")


@pytest.mark.parametrize(("exits", "code"), [("3", 3), ("None", 1)])
def test_work_that_exits_gives_its_code(exits: str, code: int) -> None:
    assert lived(f"raise SystemExit({exits})")[0] == code


@pytest.mark.parametrize("error", ["KeysUnusable", "MigrationDelayed", "StoreUnwritable"])
def test_an_error_that_says_what_to_do_is_one_line(error: str) -> None:
    code, said = lived(f"raise {error}('make room on the disk')")

    assert code == 1
    assert "make room on the disk" in said
    assert len(said.splitlines()) == 1


def test_a_database_that_cannot_be_had_is_one_line_with_its_cause_and_what_to_do() -> None:
    code, said = lived("raise DatabaseUnavailable('it does not answer') from ConnectionRefusedError(111, 'refused')")

    assert code == 1
    assert "it does not answer (ConnectionRefusedError: " in said
    assert "UNDERSIGN_DATABASE_URL" in said
    assert len(said.splitlines()) == 1


def test_any_other_error_is_shown_with_its_traceback() -> None:
    code, said = lived("raise ZeroDivisionError")

    assert code == 1
    assert "the work could not go on" in said
    assert "ZeroDivisionError" in said

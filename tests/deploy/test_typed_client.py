"""The client is typed for programs that use it: mypy accepts a right program and rejects mistakes in it."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging
PROGRAM = """
from pathlib import Path

from undersign import AsyncClient, Client, ApiError
from undersign.models import SessionRead


def send(undersign: Client, lease: dict[str, object]) -> SessionRead:
    made = undersign.create_session(lease, idempotency_key="lease-7")
    sent = undersign.send_session(made.session_id)
    session = undersign.get_session(sent.session_id)
    for recipient in session.recipients:
        print(recipient.email.lower(), recipient.status.value)
    return session


def save(undersign: Client, session: SessionRead) -> None:
    for entry in undersign.list_documents(session.session_id).documents:
        Path(entry.file_name).write_bytes(undersign.download(entry))


async def names(undersign: AsyncClient) -> list[str]:
    return [session.name for session in (await undersign.list_sessions(status=["pending"], limit=10)).sessions]


def code(refused: ApiError) -> str:
    return refused.code
"""

MISTAKES = [
    ("undersign.send_session(", "undersign.send_sesion("),
    ("made.session_id", "made.sesion_id"),
    ("recipient.email.lower()", "recipient.email.days"),
    ("limit=10", 'limit="10"'),
    ("status=[", "state=["),
    ("(await undersign", "(undersign"),
    ("bytes(undersign.download(entry))", "text(undersign.download(entry))"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that mypy reads the packages once."""
    return tmp_path_factory.mktemp("program")


def check(programs: Path, folder: Path, program: str) -> tuple[int, str]:
    """Returns the status and the words of mypy about `program`, which uses the package as it was installed."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--python-executable", str(programs / "python"), "program.py"]
    done = subprocess.run(mypy, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_program_that_uses_the_client_is_accepted(client_installed: Path, folder: Path) -> None:
    assert check(client_installed, folder, PROGRAM) == (0, "Success: no issues found in 1 source file\n")


@pytest.mark.parametrize(("right", "wrong"), MISTAKES, ids=[wrong for _, wrong in MISTAKES])
def test_a_mistake_in_it_is_found_in_its_line(client_installed: Path, folder: Path, right: str, wrong: str) -> None:
    assert PROGRAM.count(right) == 1
    line = PROGRAM.partition(right)[0].count("\n") + 1

    status, words = check(client_installed, folder, PROGRAM.replace(right, wrong))

    assert status == 1
    assert f"program.py:{line}: error:" in words

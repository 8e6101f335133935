"""A PostgreSQL server of the tests' own, from the programs of the system, in a folder of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests.programs import program

ROOT_USER = "postgres"
"""Who runs it when the tests run as root, which PostgreSQL does not accept; made by its package."""

SETTINGS = "-c fsync=off -c synchronous_commit=off -c listen_addresses="
"""For tests: nothing has to survive them, and nobody else gets in."""


@contextmanager
def postgres_server(settings: str = SETTINGS) -> Iterator[str]:
    """The address of the server's folder for its socket, to which everybody on this machine is the superuser."""
    folder = Path(mkdtemp(prefix="undersign-pg-"))  # a short path: the names of sockets are
    if os.geteuid() == 0:
        shutil.chown(folder, ROOT_USER)
    data = folder / "data"
    try:
        _run("initdb", "--username=undersign", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-D", str(data))
        with (data / "pg_hba.conf").open("a", encoding="ascii") as allowed:
            allowed.write("host all all samenet trust\n")  # where the settings have it listen at all
        log = folder / "log"
        _run(
            "pg_ctl",
            "start",
            "--wait",
            "--timeout=600",
            "-D",
            str(data),
            "-l",
            str(log),
            "-o",
            f"{settings} -k {folder}",
        )
        try:
            yield str(folder)
        finally:
            _run("pg_ctl", "stop", "--mode=immediate", "-D", str(data))
    finally:
        shutil.rmtree(folder)


def restart(folder: str) -> None:
    """Ends the server at once, without a chance to write anything, and starts it again on what it had."""
    data = Path(folder) / "data"
    _run(
        "pg_ctl",
        "restart",
        "--wait",
        "--timeout=600",
        "--mode=immediate",
        "-D",
        str(data),
        "-l",
        str(Path(folder) / "log"),
    )


def address(folder: str, database: str = "postgres", user: str = "undersign") -> str:
    """The SQLAlchemy address of a database of that server."""
    return f"postgresql+asyncpg://{user}@/{database}?host={folder}"


def _run(name: str, *arguments: str) -> None:
    own = {"user": ROOT_USER, "group": ROOT_USER, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [program(name), *arguments],
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **own,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, done.stdout

"""The command line: what it offers, and how it ends."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests import ROOT
from tests.builders import identifier
from tests.cli.commands import Answer, undersign
from tests.cli.conftest import Command
from tests.databases import copy_sqlite

NOBODY = identifier("nobody")


def in_own_process(data_dir: Path, *arguments: str, **settings: str) -> Answer:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
    process = subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments],
        env={**inherited, "PYTHONPATH": str(ROOT), "UNDERSIGN_DATA_DIR": str(data_dir), **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    return Answer(process.returncode, process.stdout, process.stderr)


def test_the_help_names_every_command_and_loads_nothing_slow(tmp_path: Path) -> None:
    answer = in_own_process(tmp_path, "--help", PYTHONPROFILEIMPORTTIME="1")
    commands = ("dev", "demo", "repair", "replay", "organisation", "client", "user", "key", "seal", "receipt")
    slow = ("joserfc", "cryptography", "sqlalchemy", "temporalio", "pymupdf")

    assert answer.code == 0
    assert [name for name in (*commands, "webhook", "verify") if name not in answer.out] == []
    assert "typer" in answer.err
    assert [name for name in slow if name in answer.err] == []


def set_back(data_dir: Path) -> None:
    """Gives the database the schema of a newer version."""
    with closing(sqlite3.connect(data_dir / "undersign.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")


def test_a_log_entry_is_a_plain_line_on_standard_error(tmp_path: Path) -> None:
    copy_sqlite(tmp_path / "undersign.db")
    set_back(tmp_path)
    answer = in_own_process(tmp_path, "organisation", "list", "--json")

    assert json.loads(answer.out) == {"organisations": []}
    assert answer.err == "undersign: the database was migrated by a newer version and stays unchanged\n"


def test_a_database_is_migrated(command: Command, tmp_path: Path) -> None:
    for _ in range(2):
        assert command("migrate").out == "The database is up to date.\n"
    set_back(tmp_path)
    assert "A newer version has migrated the database" in command("migrate").out


def test_a_database_that_does_not_answer_is_named(command: Command) -> None:
    answer = command("migrate", UNDERSIGN_DATABASE_URL="postgresql+asyncpg://nobody@127.0.0.1:1/none")
    assert answer.refuses("UNDERSIGN_DATABASE_URL", code=1)


@pytest.mark.parametrize("name", ["dev", "demo"])
def test_each_invalid_setting_is_named_in_a_line(command: Command, name: str) -> None:
    answer = command(name, UNDERSIGN_API_PORT="eighty", UNDERSIGN_POOL_PROCESSES="0")

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 2
    assert "UNDERSIGN_API_PORT" in answer.err
    assert "UNDERSIGN_POOL_PROCESSES" in answer.err


def test_a_data_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert undersign(tmp_path / "file", "dev").refuses("UNDERSIGN_DATA_DIR")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("client", "revoke", NOBODY), "undersign client list"),
        (("client", "rotate-secret", NOBODY), "undersign client list"),
        (("client", "set-scopes", NOBODY, "--scope", "read:sessions"), "undersign client list"),
        (("client", "budget", NOBODY), "undersign client list"),
        (("client", "list", "--organisation", NOBODY), "undersign organisation list"),
        (("client", "add", NOBODY, "reports"), "undersign organisation add"),
        (("client", "add"), "Missing argument 'ORGANISATION'. See undersign client add --help."),
        (("client", "add", "x", "name"), "Give an identifier such as"),
        (("client", "add", NOBODY, "two\nlines"), "Enter 1 to 200 characters in one line."),
        (("client", "add", NOBODY, "name", "--scope", "rule:world"), "'read:sessions'"),
        (("client", "set-scopes", NOBODY), "Missing option '--scope'"),
        (("client", "remove"), "No such command 'remove'."),
        (("client", "list", "--colour"), "No such option"),
        (("client", "budget", NOBODY, "--recipients-per-day", "-1"), ""),
        (("client", "budget", NOBODY, "--recipients-per-day", "1000000"), ""),
        (("client", "budget", NOBODY, "--domains", "nowhere"), ""),
        (("organisation", "add", " "), "Enter 1 to 200 characters in one line."),
        (("organisation", "rename", NOBODY, "Finch"), "undersign organisation list"),
        (("organisation", "time-zone", NOBODY, "Australia/Sidney"), "Did you mean Australia/Sydney?"),
        (("organisation", "time-zone", NOBODY, "AEST"), "IANA name"),
        (("organisation", "time-zone", NOBODY, "../UTC"), "IANA name"),
        (("organisation", "time-zone", NOBODY, ""), ""),
        (("user", "list", "--organisation", NOBODY), "undersign organisation list"),
        (("user", "disable", "ada@example.com"), "undersign user list"),
        (("user", "enable", "ada@example.com"), "undersign user list"),
        (("user", "add", NOBODY, "ada", "Ada"), "email address"),
        (("user", "add", NOBODY, "ada@example.com", "Ada"), "undersign organisation list"),
        (("webhook", "secret", "show", "--organisation", NOBODY), ""),
        (("webhook", "secret", "rotate", "--organisation", NOBODY), ""),
        (("webhook", "paused", "--organisation", NOBODY), ""),
        (("webhook", "resume", "--organisation", NOBODY), ""),
        (("webhook", "listen", "--port", "1", "--secret", "whsec_"), ""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_is_refused_in_one_line(command: Command, arguments: tuple[str, ...], words: str) -> None:
    assert command(*arguments).refuses(words)


def test_without_a_command_the_help_is_shown(command: Command) -> None:
    for group in ("organisation", "client", "user", "key"):
        answer = command(group)
        assert (answer.code, "Commands" in answer.out, answer.err) == (2, True, "")

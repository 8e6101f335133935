"""`undersign migrate`."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cli.conftest import Command


def test_a_database_is_brought_up_to_date_once_and_again(command: Command) -> None:
    assert command("migrate").out == "The database is up to date.\n"
    assert command("migrate").out == "The database is up to date.\n"


def test_a_database_that_does_not_answer_is_said_in_one_line(command: Command) -> None:
    answer = command("migrate", UNDERSIGN_DATABASE_URL="postgresql+asyncpg://nobody@127.0.0.1:1/none")

    assert answer.code == 1
    assert "UNDERSIGN_DATABASE_URL" in answer.refusal()


def test_a_database_of_a_newer_version_is_said_to_be_one(command: Command, tmp_path: Path) -> None:
    command("migrate")
    with closing(sqlite3.connect(tmp_path / "undersign.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")

    answer = command("migrate")

    assert "A newer version has migrated the database" in answer.out

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
from tests.cli.commands import Answer, undersign
from tests.databases import copy_sqlite


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


def test_the_help_names_every_command(tmp_path: Path) -> None:
    answer = in_own_process(tmp_path, "--help")

    assert answer.code == 0
    assert [
        command
        for command in (
            "dev",
            "demo",
            "repair",
            "replay",
            "organisation",
            "client",
            "user",
            "key",
            "seal",
            "receipt",
            "webhook",
            "verify",
        )
        if command not in answer.out
    ] == []


def test_what_a_service_would_log_is_a_plain_line_on_standard_error(tmp_path: Path) -> None:
    copy_sqlite(tmp_path / "undersign.db")
    with closing(sqlite3.connect(tmp_path / "undersign.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")

    answer = in_own_process(tmp_path, "organisation", "list", "--json")

    assert json.loads(answer.out) == {"organisations": []}
    assert answer.err == "undersign: the database was made by a newer version, and is left as it is\n"


def test_an_organisation_and_its_client_can_be_added(tmp_path: Path) -> None:
    added = json.loads(undersign(tmp_path, "organisation", "add", "Finch & Søn", "--json").out)
    client = undersign(
        tmp_path, "client", "add", added["organisationId"], "reports", "--scope", "read:sessions", "--json"
    )

    assert added["name"] == "Finch & Søn"
    assert json.loads(client.out).keys() == {"organisationId", "clientId", "clientSecret"}


def test_a_client_of_an_unknown_organisation_is_refused_in_one_line(tmp_path: Path) -> None:
    answer = undersign(tmp_path, "client", "add", "8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11", "reports")

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert "undersign organisation add" in answer.err


@pytest.mark.parametrize("command", ["dev", "demo"])
def test_settings_that_make_no_sense_are_named_in_a_line_each(tmp_path: Path, command: str) -> None:
    answer = undersign(tmp_path, command, UNDERSIGN_API_PORT="eighty", UNDERSIGN_POOL_PROCESSES="0")

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 2
    assert "UNDERSIGN_API_PORT" in answer.err
    assert "UNDERSIGN_POOL_PROCESSES" in answer.err


def test_a_data_directory_that_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    answer = undersign(tmp_path / "file", "dev")

    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert "UNDERSIGN_DATA_DIR" in answer.err


def test_the_help_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    answer = in_own_process(tmp_path, "--help", PYTHONPROFILEIMPORTTIME="1")

    heavy = ("joserfc", "cryptography", "sqlalchemy", "temporalio", "pymupdf")
    assert "typer" in answer.err
    assert [name for name in heavy if name in answer.err] == []

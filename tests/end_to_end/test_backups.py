"""Runs the commands of `docs/backup.md` for a backup and a restore."""

import re
import subprocess
from pathlib import Path

import pytest

from adapters.database.engine import make_engine
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.schema_migration import migrate
from domain.ports.database import Organisation
from domain.shared.ids import OrganisationId
from tests import ROOT
from tests.adapters.postgres_server import address, postgres_server
from tests.builders import ORGANISATION
from tests.databases import LIMITS
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.http_requests import PATIENCE

GUIDE = ROOT / "docs" / "backup.md"

_BLOCK = re.compile(r'^```sh title="([a-z-]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
COMMANDS = dict(_BLOCK.findall(GUIDE.read_text(encoding="utf-8")))
"""The commands of the guide, by the name of their block."""


def run(name: str, folder: Path, **variables: str) -> None:
    """Runs a block of the guide in `folder`; stops at the first command that fails."""
    done = subprocess.run(
        ["/bin/sh", "-euc", COMMANDS[name]],
        cwd=folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


class BackedUp:
    """An installation with its backup beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.installation = Installation(folder / "data")

    def run(self, name: str) -> None:
        """Runs a block of the guide while the service is stopped."""
        self.installation.stop()
        run(name, self.folder, UNDERSIGN_DATA_DIR=str(self.installation.data_dir))
        self.installation.start()

    def sign_first(self) -> Agreement:
        """Sends a session that the first of two recipients signs."""
        agreement = Agreement.of(self.installation)
        agreement.sign("client")
        return agreement

    def follow_up(self) -> str:
        """Runs the commands of the guide for after a restore; returns their output."""
        output = ""
        for line in COMMANDS["after-restore"].splitlines():
            done = self.installation.run(*line.split()[1:])
            output += done.stdout
            assert done.returncode == 0, done.stdout + done.stderr
        return output

    def is_valid(self, agreement: Agreement) -> bool:
        """Returns whether `undersign verify --session` passes."""
        organisation = self.installation.dev_info.organisation_id
        done = self.installation.run("verify", "--session", agreement.session_id, "--organisation", organisation)
        return done.returncode == 0


def test_one_store_is_restored_and_repaired_from_the_other_and_then_all_are_restored(tmp_path: Path) -> None:
    backed_up = BackedUp(tmp_path)
    with backed_up.installation:
        half, done = backed_up.sign_first(), backed_up.sign_first()
        done.complete()
        backed_up.run("back-up")
        half.complete()
        later = backed_up.sign_first()

        backed_up.run("restore-database")
        output = backed_up.follow_up()

        assert "2 sessions repaired." in output
        assert re.search(rf"session/{later.session_id}: .*\n.*\n  Lost: ", output)
        assert half.now.status == "completedAndGenerated"
        assert backed_up.is_valid(half)
        assert backed_up.is_valid(done)
        later.complete()

        backed_up.run("restore-temporal")

        assert f"session/{half.session_id}: It is over with" in backed_up.follow_up()
        assert half.now.status == "completedAndGenerated"
        assert backed_up.is_valid(half)

        backed_up.run("restore")

        assert "agree on all sessions" in backed_up.follow_up()
        assert (half.now.status, done.now.status) == ("inProgress", "completedAndGenerated")
        half.complete()
        assert backed_up.is_valid(half)
        assert backed_up.is_valid(done)


@pytest.mark.postgresql
async def test_a_user_restores_a_database_whose_extensions_an_administrator_created(tmp_path: Path) -> None:
    with postgres_server() as socket:
        await run_as_administrator(address(socket), "CREATE ROLE tenant LOGIN")
        for name in ("first", "second"):
            await run_as_administrator(address(socket), f"CREATE DATABASE {name}")
            await run_as_administrator(address(socket, name), "GRANT CREATE ON SCHEMA public TO tenant")
            for extension in ("pg_trgm", "btree_gin"):
                await run_as_administrator(address(socket, name), f"CREATE EXTENSION {extension}")
        await migrate(address(socket, "first", "tenant"))
        await add_organisation(address(socket, "first", "tenant"), before := Organisation(ORGANISATION, "Northwind"))
        run("back-up-postgresql", tmp_path, DATABASE=f"postgresql://tenant@/first?host={socket}")
        other = OrganisationId("8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11")
        await add_organisation(address(socket, "first", "tenant"), Organisation(other, "Later"))

        for name in ("first", "second"):
            run("restore-postgresql", tmp_path, DATABASE=f"postgresql://tenant@/{name}?host={socket}")

            await migrate(address(socket, name, "tenant"))
            assert await organisations_in(address(socket, name, "tenant")) == (before,)


async def run_as_administrator(database: str, statement: str) -> None:
    engine = make_engine(database, LIMITS)
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await connection.exec_driver_sql(statement)
    await engine.dispose()


async def add_organisation(database: str, organisation: Organisation) -> None:
    engine = make_engine(database, LIMITS)
    await DatabaseOrganisations(engine).add(organisation)
    await engine.dispose()


async def organisations_in(database: str) -> tuple[Organisation, ...]:
    engine = make_engine(database, LIMITS)
    found = await DatabaseOrganisations(engine).list()
    await engine.dispose()
    return found


def test_every_block_of_the_guide_is_run_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")

    assert {name for name in COMMANDS if f'"{name}"' not in source} == set()

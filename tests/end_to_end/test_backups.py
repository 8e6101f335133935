"""The commands of `docs/operations.md` for a backup and a restore, run as they are written there."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.database.engine import make_engine, migrate
from adapters.database.repositories.organisations import DatabaseOrganisations
from cli.demo.command import connect
from ports.database import Organisation
from tests import ROOT
from tests.adapters.postgres_server import postgres_server
from tests.builders import ORGANISATION
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.http_requests import PATIENCE

GUIDE = ROOT / "docs" / "operations.md"

_BLOCK = re.compile(r"^```sh ([a-z-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = dict(_BLOCK.findall(GUIDE.read_text(encoding="utf-8")))
"""What the guide says to run, by the name of the block."""


def run(name: str, folder: Path, **variables: str) -> None:
    """Runs a block of the guide in `folder`, up to the first command that fails."""
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


class Kept:
    """An installation with its backup beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.installation = Installation(folder / "data")

    def run(self, name: str) -> None:
        run(name, self.folder, UNDERSIGN_DATA_DIR=str(self.installation.data_dir))

    def agreement(self, *signers: str) -> Agreement:
        """A session that these have signed."""
        with closing(connect(self.installation.dev_info)) as service:
            agreement = Agreement(self.installation.dev_info, service)
            for key in signers:
                agreement.sign(key)
            if len(signers) == len(agreement.session.recipients):
                agreement.await_documents()
        return agreement

    def go_on(self, agreement: Agreement) -> None:
        """The second recipient signs, with the link that they had."""
        with closing(connect(self.installation.dev_info)) as service:
            agreement.continued(self.installation.dev_info, service).sign("consultant")

    def status(self, agreement: Agreement) -> str:
        with closing(connect(self.installation.dev_info)) as service:
            return service.get_session(agreement.session_id).status

    def await_documents(self, agreement: Agreement) -> None:
        with closing(connect(self.installation.dev_info)) as service:
            agreement.continued(self.installation.dev_info, service).await_documents()

    def follow_up(self) -> str:
        """What the guide says to run after a restore, and what it printed."""
        told = ""
        for line in COMMANDS["after-restore"].splitlines():
            done = self.installation.run(*line.split()[1:])
            told += done.stdout
            assert done.returncode == 0, done.stdout + done.stderr
        return told

    def holds(self, agreement: Agreement) -> bool:
        """Whether `undersign verify --session` finds nothing wrong."""
        organisation = self.installation.dev_info.organisation_id
        done = self.installation.run("verify", "--session", agreement.session_id, "--organisation", organisation)
        return done.returncode == 0


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(tmp_path)
    kept.installation.start()
    yield kept
    assert kept.installation.stop() == 0, kept.installation.output


@pytest.mark.installation
def test_all_stores_are_restored_to_one_moment(kept: Kept) -> None:
    half, done = kept.agreement("client"), kept.agreement("client", "consultant")
    kept.installation.stop()
    kept.run("back-up")
    kept.installation.start()
    kept.go_on(half)
    kept.await_documents(half)
    kept.installation.stop()

    kept.run("restore")
    kept.installation.start()

    assert "agree on all sessions" in kept.follow_up()
    assert (kept.status(half), kept.status(done)) == ("inProgress", "completedAndGenerated")
    kept.go_on(half)
    kept.await_documents(half)
    assert kept.holds(half)
    assert kept.holds(done)


@pytest.mark.installation
def test_one_store_is_set_back_and_the_other_makes_it_whole(kept: Kept) -> None:
    half, done = kept.agreement("client"), kept.agreement("client", "consultant")
    kept.installation.stop()
    kept.run("back-up")
    kept.installation.start()
    kept.go_on(half)
    kept.await_documents(half)
    later = kept.agreement("client")
    kept.installation.stop()

    kept.run("restore-database")
    kept.installation.start()
    told = kept.follow_up()

    assert "2 sessions repaired." in told
    assert re.search(rf"session/{later.session_id}: .*\n.*\n  Lost: ", told)
    assert kept.status(half) == "completedAndGenerated"
    assert kept.holds(half)
    assert kept.holds(done)
    kept.go_on(later)
    kept.await_documents(later)
    kept.installation.stop()

    kept.run("restore-temporal")
    kept.installation.start()
    told = kept.follow_up()

    assert f"session/{half.session_id}: It is over with" in told
    assert kept.status(half) == "completedAndGenerated"
    assert kept.holds(half)


@pytest.mark.postgresql
async def test_a_database_of_postgresql_is_restored(tmp_path: Path) -> None:
    with postgres_server() as socket:
        address = f"postgresql+asyncpg://undersign@/postgres?host={socket}"
        named = f"postgresql://undersign@/postgres?host={socket}"
        await migrate(address)
        engine = make_engine(address)
        organisations = DatabaseOrganisations(engine)
        await organisations.add(before := Organisation(ORGANISATION, "Northwind Trading"))
        await engine.dispose()
        run("back-up-postgresql", tmp_path, DATABASE=named)
        await organisations.add(Organisation(type(ORGANISATION)("8a2e0c55-6f33-4c8f-9a1f-0b8f6f4d2c11"), "Later"))
        await engine.dispose()

        run("restore-postgresql", tmp_path, DATABASE=named)

        await migrate(address)
        assert await organisations.list() == (before,)
        await engine.dispose()


def test_every_block_that_the_guide_names_is_run_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")

    assert {name for name in COMMANDS if f'"{name}"' not in source} == set()

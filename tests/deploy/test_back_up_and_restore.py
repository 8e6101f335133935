"""The scripts for backups and restores, on a real PostgreSQL, with stand-ins for docker, kubectl and gcloud."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.database.engine import make_engine
from adapters.database.repositories.organisations import DatabaseOrganisations
from adapters.database.schema_migration import migrate
from domain.ports.database import Organisation
from tests.adapters.postgres_server import address, postgres_server
from tests.builders import ORGANISATION
from tests.databases import LIMITS
from tests.deploy.files import DEPLOY

pytestmark = pytest.mark.postgresql

_DOCKER = """#!/bin/sh
echo "$@" >>"$CALLS"
shift
action=$1
shift
while [ "${1#-}" != "$1" ]; do shift; done
case "$action $2" in
"exec undersign" | "up "* | "stop "*) exit 0 ;;
*" tar") case "$*" in *create*) exec tar -cC "$DATA" . ;; *) exec tar -xC "$DATA" ;; esac ;;
esac
shift
exec "$@"
"""

_KUBECTL = """#!/bin/sh
echo "$@" >>"$CALLS"
case "$*" in
*"tar --create"*) exec tar -cC "$DATA/keys" . ;;
*"sh -c"*) cd "$DATA/keys" && { [ -e link.key ] || exec tar -x; } ;;
apply*) cat >"$CALLS.pod" ;;
*jsonpath*) echo image:1 ;;
esac
"""


class Stack:
    """A database of Undersign and two of Temporal, with keys and a document, and the stand-ins for programs."""

    def __init__(self, folder: Path, server: str) -> None:
        self._folder, self._server, self.data = folder, server, folder / "data"
        self._programs, self._calls = folder / "bin", folder / "calls"
        for path in (self._programs, self.data / "keys"):
            path.mkdir(parents=True)
        for name, text in {"docker": _DOCKER, "kubectl": _KUBECTL, "gcloud": "#!/bin/sh\n"}.items():
            (self._programs / name).write_text(text)
            (self._programs / name).chmod(0o755)
        (self.data / "keys" / "link.key").write_text("key")
        (self.data / "document.pdf").write_text("document")
        self.query("CREATE ROLE temporal SUPERUSER LOGIN", "postgres")
        for name in ("undersign", "temporal", "temporal_visibility"):
            self.query(f"CREATE DATABASE {name}", "postgres")
        self.query("CREATE EXTENSION btree_gin; CREATE TABLE runs (id int); INSERT INTO runs VALUES (7)")
        self.query("CREATE INDEX ON runs USING gin (id)")
        asyncio.run(self._add_organisation())

    async def _add_organisation(self) -> None:
        await migrate(address(self._server, "undersign"))
        engine = make_engine(address(self._server, "undersign"), LIMITS)
        await DatabaseOrganisations(engine).add(Organisation(ORGANISATION, "Northwind"))
        await engine.dispose()

    def query(self, statement: str, database: str = "temporal_visibility") -> str:
        """Returns the only value that the statement returns."""
        command = ["psql", "--username=undersign", f"--host={self._server}", "-Atqc", statement, database]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def run(self, script: str, argument: Path | str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self._programs}:{os.environ['PATH']}",
            "CALLS": str(self._calls),
            "DATA": str(self.data),
            "PGHOST": self._server,
            "PGUSER": "undersign",
            "DATABASE": "postgresql:///undersign",
            "TEMPORAL": "postgresql://",
            "STORE": "gs://documents",
            "COPY": "gs://copies",
        }
        command = ["/bin/sh", DEPLOY / script, argument]
        return subprocess.run(command, env=environment, input="\n", capture_output=True, text=True, check=False)

    def calls(self) -> list[str]:
        return self._calls.read_text().splitlines()

    def lose(self) -> None:
        """Loses the rows of one database, and another database and the keys wholly."""
        self.query("DELETE FROM organisations", "undersign")
        self.query("DROP DATABASE temporal_visibility", "postgres")
        for path in (self.data / "keys" / "link.key", self.data / "document.pdf"):
            path.unlink()


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    with postgres_server() as server:
        yield Stack(tmp_path, server)


def test_the_compose_installation_is_restored_whole(stack: Stack, tmp_path: Path) -> None:
    backed_up = stack.run("back-up.sh", tmp_path / "backups")
    assert (backed_up.returncode, backed_up.stderr) == (0, "")
    stack.lose()
    restored = stack.run("restore.sh", backed_up.stdout.strip())

    assert restored.returncode == 0, restored.stderr
    assert stack.query("SELECT count(*) FROM organisations", "undersign") == "1"
    assert stack.query("SELECT id FROM runs") == "7"
    assert (stack.data / "keys" / "link.key").read_text() == "key"
    assert (stack.data / "document.pdf").exists()
    assert stack.calls()[-2:] == [f"compose exec -T api undersign {act}" for act in ("repair --apply", "doctor")]


def test_a_backup_that_fails_leaves_no_folder_that_looks_complete(stack: Stack, tmp_path: Path) -> None:
    stack.query("DROP DATABASE temporal", "postgres")
    backed_up = stack.run("back-up.sh", tmp_path / "backups")

    assert backed_up.returncode != 0
    (left,) = (tmp_path / "backups").iterdir()
    assert left.suffix == ".part"
    assert stack.run("restore.sh", left).returncode == 2


def test_the_kubernetes_installation_is_restored_whole(stack: Stack, tmp_path: Path) -> None:
    backed_up = stack.run("kubernetes/back-up.sh", tmp_path / "backups")
    assert (backed_up.returncode, backed_up.stderr) == (0, "")
    stack.query("DELETE FROM organisations", "undersign")
    stack.query("DELETE FROM runs")
    (stack.data / "keys" / "link.key").unlink()
    restored = stack.run("kubernetes/restore.sh", backed_up.stdout.strip())

    assert restored.returncode == 0, restored.stderr
    assert stack.query("SELECT count(*) FROM organisations", "undersign") == "1"
    assert stack.query("SELECT id FROM runs") == "7"
    assert (stack.data / "keys" / "link.key").read_text() == "key"
    assert [call.split(" -- ")[1] for call in stack.calls()[-2:]] == ["undersign repair --apply", "undersign doctor"]
    assert "image: image:1" in (tmp_path / "calls.pod").read_text()

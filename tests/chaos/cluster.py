"""An installation as separate processes, each of which can be killed, frozen and started again."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from types import MappingProxyType

import httpx

from adapters.temporal.dev_server import DevServer, find_binary
from application.checks import PROBE_SECONDS
from application.scopes import Scope
from tests.backends import OperatorBackends
from tests.chaos.switches import ENVIRONMENT, Switches
from tests.end_to_end.installation import environment, start_process
from tests.tcp_ports import free_ports

PYTHON = (sys.executable, "-P", "-m")
TEMPORAL, API, WORKERS = "temporal", "api", ("worker-1", "worker-2")
EVERYTHING = (TEMPORAL, API, *WORKERS)
_SCOPES = [part for scope in Scope for part in ("--scope", scope.value)]
READY_SECONDS = 120


@dataclass(frozen=True)
class Client:
    """The address and the credentials of an API client."""

    url: str
    client_id: str
    client_secret: str


class EmbeddedBackends:
    """SQLite, a folder of objects and an outbox below `data`. `settings` are for processes; mails are in `outbox`."""

    settings: Mapping[str, str] = MappingProxyType({})

    def __init__(self, data: Path) -> None:
        self.outbox = data / "outbox"
        self.database = f"sqlite+aiosqlite:///{data / 'undersign.db'}"
        self._data = data

    def signed(self, prefix: str) -> list[str]:
        """Returns the SHA-256 of each signed PDF below `prefix`, sorted."""
        found = (self._data / "objects" / prefix).rglob("signed*.pdf")
        return sorted(sha256(path.read_bytes()).hexdigest() for path in found)

    def has_objects(self, prefix: str) -> bool:
        return (self._data / "objects" / prefix).exists()

    def lock(self, pause: Callable[[], object]) -> None:
        """Locks the database while `pause` lasts."""
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self._data / "undersign.db")) as rows:
            rows.execute("BEGIN EXCLUSIVE")
            pause()

    def restart_database(self) -> None:
        """Ends the database as a power failure would, and starts it again, if it is a server."""

    def changed_mails(self) -> Sequence[str]:
        """Returns the Message-IDs that came again with other bytes."""
        return ()


Backends = EmbeddedBackends | OperatorBackends


class Cluster:
    """An installation in `folder`: its data in `data`, which may be a small disk of its own, its logs beside it."""

    def __init__(self, folder: Path, backends: Backends, host: str = "127.0.0.1") -> None:
        self.backends = backends
        self.data, self.logs, switches = folder / "data", folder / "logs", folder / "switches"
        for path in (self.data, self.logs, switches):
            path.mkdir(parents=True, exist_ok=True)
        self.switches = Switches(switches)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = RLock()
        self.starts: Counter[str] = Counter()
        api, temporal, ui = free_ports(3)
        self.url = f"http://{host}:{api}"
        self.temporal = DevServer(self.data / "temporal.db", temporal, ui, host)
        self.everything: tuple[str, ...] = EVERYTHING
        self._commands = {
            TEMPORAL: self.temporal.command(find_binary()),
            API: (*PYTHON, "api"),
            **dict.fromkeys(WORKERS, (*PYTHON, "tests.chaos.worker")),
        }
        own = {
            "UNDERSIGN_PUBLIC_URL": self.url,
            "UNDERSIGN_API_PORT": str(api),
            "UNDERSIGN_TEMPORAL_ADDRESS": self.temporal.address,
            "UNDERSIGN_PRIVATE_CALLBACKS": "true",
            ENVIRONMENT: str(switches),
        }
        self._environment = environment(self.data, **own, **backends.settings)

    def build(self) -> tuple[Client, str]:
        """Starts everything; returns a client of a new organisation, and the identifier of the organisation."""
        self.start(*self.everything)
        self.await_ready()
        organisation = json.loads(self._undersign("organisation", "add", "Chaos", "--json"))
        client = json.loads(
            self._undersign("client", "add", organisation["organisationId"], "chaos", *_SCOPES, "--json")
        )
        return Client(self.url, client["clientId"], client["clientSecret"]), organisation["organisationId"]

    def webhook_secret(self, organisation: str) -> str:
        return self._undersign("webhook", "secret", "show", "--organisation", organisation).strip()

    def start(self, *names: str) -> None:
        """Starts those processes that do not run."""
        with self._lock:
            for name in names:
                known = self._running.get(name)
                if known is not None and known.poll() is None:
                    continue
                self.starts[name] += 1
                log = self.logs / f"{name}.log"
                self._running[name] = start_process(self._commands[name], self._environment, log)

    def kill(self, *names: str) -> None:
        """Kills processes with their children."""
        with self._lock:
            for name in names:
                self._signal(name, signal.SIGKILL)
                self._running[name].wait()

    def freeze(self, name: str) -> None:
        self._signal(name, signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        self._signal(name, signal.SIGCONT)

    def await_ready(self) -> None:
        """Returns when the API reaches everything that it needs; starts what has ended meanwhile."""
        deadline = monotonic() + READY_SECONDS
        while monotonic() < deadline:
            with suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/readyz", timeout=PROBE_SECONDS + 5, trust_env=False).is_success:
                    return
            self.start(*self.everything)
            sleep(0.1)
        raise TimeoutError(f"not ready after {READY_SECONDS} s; look into {self.logs}")

    def close(self) -> None:
        for name in self._running:
            self.thaw(name)
        self.kill(*self._running)

    def _signal(self, name: str, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._running[name].pid, number)

    def _undersign(self, *arguments: str) -> str:
        command = [*PYTHON, "cli.main", *arguments]
        return subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=READY_SECONDS, check=True
        ).stdout


class Disk:
    """A small disk for the data, which can be filled; `is_own` is false if this process may not mount one."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self._folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "chaos", str(folder)]
        self.is_own = (
            shutil.which("mount") is not None
            and subprocess.run(mount, capture_output=True, check=False).returncode == 0
        )

    def fill(self) -> None:
        with suppress(OSError), (self._folder / "ballast").open("wb", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12, 1):
                with suppress(OSError):
                    while ballast.write(bytes(size)):
                        pass

    def relieve(self) -> None:
        (self._folder / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        if self.is_own:
            subprocess.run(["umount", "-l", str(self._folder)], capture_output=True, check=False)

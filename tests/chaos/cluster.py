"""The processes of one installation, each of which can be killed, frozen and started again."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

import httpx

from adapters.temporal.dev_server import DevServer, find_binary
from application.checks import PROBE_SECONDS
from tests import ROOT
from tests.chaos.backends import Backends
from tests.chaos.switches import ENVIRONMENT, Switches
from tests.ports import free_ports

PYTHON = (sys.executable, "-P", "-m")
TEMPORAL, API, WORKERS = "temporal", "api", ("worker-1", "worker-2")
EVERYTHING = (TEMPORAL, API, *WORKERS)
READY_SECONDS = 120


@dataclass(frozen=True)
class Client:
    """How an API client gets in."""

    url: str
    client_id: str
    client_secret: str


class Cluster:
    """An installation in `folder`: its data in `data`, which may be a small disk of its own, its logs beside it.

    What else it works on is its `backends`.
    """

    def __init__(
        self, folder: Path, backends: Backends, host: str = "127.0.0.1", worker: str = "tests.chaos.worker"
    ) -> None:
        self.backends = backends
        self.data = folder / "data"
        self.logs = folder / "logs"
        for path in (self.data, self.logs, folder / "switches"):
            path.mkdir(parents=True, exist_ok=True)
        self.switches = Switches(folder / "switches")
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
            **dict.fromkeys(WORKERS, (*PYTHON, worker)),
        }
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
        self._environment = {
            **inherited,
            "PYTHONPATH": str(ROOT),
            "UNDERSIGN_DATA_DIR": str(self.data),
            "UNDERSIGN_PUBLIC_URL": self.url,
            "UNDERSIGN_API_PORT": str(api),
            "UNDERSIGN_TEMPORAL_ADDRESS": self.temporal.address,
            "UNDERSIGN_POOL_PROCESSES": "1",
            "UNDERSIGN_PRIVATE_CALLBACKS": "true",
            **{f"UNDERSIGN_{kind}_PER_MINUTE": "0" for kind in ("READS", "WRITES", "TOKENS", "PAGES")},
            ENVIRONMENT: str(folder / "switches"),
            **backends.settings,
        }

    @property
    def outbox(self) -> Path:
        return self.backends.outbox

    def build(self) -> tuple[Client, str]:
        """Starts everything; a client of a new organisation, and the organisation's identifier."""
        self.start(*self.everything)
        self.await_ready()
        organisation = json.loads(self._undersign("organisation", "add", "Chaos", "--json"))
        client = json.loads(self._undersign("client", "add", organisation["organisationId"], "chaos", "--json"))
        return Client(self.url, client["clientId"], client["clientSecret"]), organisation["organisationId"]

    def webhook_secret(self, organisation: str) -> str:
        return self._undersign("webhook", "secret", "show", "--organisation", organisation).strip()

    def start(self, *names: str) -> None:
        """Starts those that do not run."""
        with self._lock:
            for name in names:
                known = self._running.get(name)
                if known is not None and known.poll() is None:
                    continue
                self.starts[name] += 1
                with (self.logs / f"{name}.log").open("ab") as log:
                    self._running[name] = subprocess.Popen(
                        self._commands[name],
                        env=self._environment,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )

    def kill(self, *names: str) -> None:
        """Ends them with their children, without a chance to do anything."""
        with self._lock:
            for name in names:
                self._signal(name, signal.SIGKILL)
                self._running[name].wait()

    def process_id(self, name: str) -> int:
        return self._running[name].pid

    def freeze(self, name: str) -> None:
        self._signal(name, signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        self._signal(name, signal.SIGCONT)

    def dead(self) -> list[str]:
        """Returns those that have ended by themselves."""
        with self._lock:
            return [name for name, process in self._running.items() if process.poll() is not None]

    def await_ready(self) -> None:
        """Returns when the API reaches everything that it needs."""
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
        done = subprocess.run(
            [*PYTHON, "cli.main", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=READY_SECONDS,
            check=True,
        )
        return done.stdout


class Disk:
    """A small disk of its own for the data, where this process may mount one, so that it can be filled."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self._folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "chaos", str(folder)]
        self.is_own = (
            shutil.which("mount") is not None
            and subprocess.run(mount, capture_output=True, check=False).returncode == 0
        )

    def fill(self) -> None:
        """Not a byte is left."""
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

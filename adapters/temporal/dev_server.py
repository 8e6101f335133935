"""The embedded Temporal server: its command line, and checks that it responds."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import httpx

SEARCH_ATTRIBUTES = ("OrganisationId", "SessionStatus", "SessionWaitsFor", "SessionName")
"""Search attributes (keywords) by which operators find sessions. The server registers them when it starts, so that they
exist before the first worker."""

TUNING = (
    # Dispatches tasks of different fairness keys in turns. Without it, the keys have no effect.
    "matching.enableFairness=true",
    # Fairness applies within a partition only, and one machine needs only one.
    "matching.numTaskqueueReadPartitions=1",
    "matching.numTaskqueueWritePartitions=1",
    # The defaults are for the many shards of a cluster. With one shard, every step would wait for a 50 ms tick.
    "history.transferProcessorMaxPollRPS=5000",
    "history.transferProcessorMaxPollHostRPS=10000",
    "history.visibilityProcessorMaxPollRPS=5000",
    "history.timerProcessorMaxPollRPS=5000",
    # Without it timers and retries are up to a second late.
    'history.timerProcessorMaxTimeShift="1ms"',
    # With the default of one concurrent write, a deletion waits until there is no other write.
    "history.shardIOConcurrency=16",
    # Without it a deleted history remains for half a minute.
    'history.transferProcessorUpdateAckInterval="1s"',
    # These limits protect tenants of a cluster from each other. This server has one tenant.
    "frontend.namespaceRPS=100000",
    "frontend.rps=100000",
    "history.rps=100000",
    "matching.rps=100000",
    "frontend.persistenceMaxQPS=100000",
    "history.persistenceMaxQPS=100000",
    "matching.persistenceMaxQPS=100000",
)

JOURNAL = "journal_mode=wal"
"""As durable as SQLite's default, with about half of the server's CPU time."""


class TemporalMissing(Exception):
    """No binary of a Temporal server was found."""


@dataclass(frozen=True, slots=True)
class DevServer:
    """One server on this machine, with its file and its two ports."""

    database: Path
    port: int
    ui_port: int
    host: str = "127.0.0.1"

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def ui_url(self) -> str:
        return f"http://{self.host}:{self.ui_port}"

    def command(self, binary: Path) -> tuple[str, ...]:
        """Returns the command line that starts `binary`, with its state in a file."""
        flags = ["--ip", self.host, "--port", str(self.port), "--ui-port", str(self.ui_port)]
        flags += ["--db-filename", str(self.database), "--sqlite-pragma", JOURNAL]
        flags += ["--ui-disable-news-fetch", "--log-level", "warn"]
        for name in SEARCH_ATTRIBUTES:
            flags += ["--search-attribute", f"{name}=Keyword"]
        for setting in TUNING:
            flags += ["--dynamic-config-value", setting]
        return (str(binary), "server", "start-dev", *flags)

    async def answers(self, http: httpx.AsyncClient) -> bool:
        """Returns whether server and UI respond. Raises `httpx.TransportError` until the ports are open."""
        return (await http.get(f"{self.ui_url}/api/v1/namespaces")).is_success

    async def has_worker(self, http: httpx.AsyncClient, queue: str) -> bool:
        """Returns whether a worker has polled `queue` for workflows. Raises the same as `answers`."""
        answer = await http.get(
            f"{self.ui_url}/api/v1/namespaces/default/task-queues/{queue}",
            params={"taskQueueType": "TASK_QUEUE_TYPE_WORKFLOW"},
        )
        return answer.is_success and bool(answer.json().get("pollers"))


def find_binary() -> Path:
    """Returns the server installed with this Python, or one on the PATH. Raises `TemporalMissing`."""
    beside = Path(sys.executable).with_name("temporal")
    if beside.is_file():
        return beside
    found = shutil.which("temporal")
    if found is None:
        raise TemporalMissing("no `temporal` beside this Python, and none on the PATH")
    return Path(found)

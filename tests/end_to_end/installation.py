"""A whole installation: `undersign dev` in a process of its own, on a data directory of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Self

from cli.data_directory import DevInfo, read_dev_info
from cli.demo.command import connect
from cli.dev.command import START_SECONDS
from tests import ROOT
from tests.end_to_end.waiting import eventually
from tests.http_requests import PATIENCE
from tests.outbox import Outbox
from tests.tcp_ports import free_ports
from undersign import Client

COMMAND = (sys.executable, "-m", "cli.main")
_PORTS = tuple(f"UNDERSIGN_{name}_PORT" for name in ("API", "TEMPORAL", "TEMPORAL_UI"))

_SMALL = {
    "UNDERSIGN_POOL_PROCESSES": "1",
    **{f"UNDERSIGN_{kind}_PER_MINUTE": "0" for kind in ("READS", "WRITES", "TOKENS", "PAGES")},
}


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """Returns variables for this tree's code on `data_dir`: one pool process, no rate limits, and `settings`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
    return {**inherited, "PYTHONPATH": str(ROOT), "UNDERSIGN_DATA_DIR": str(data_dir), **_SMALL, **settings}


def start_process(command: Sequence[str], variables: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Starts `command` in a process group of its own; its output is appended to `log`."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )


class Installation:
    """A data directory, and the service on it between `start` and `stop`, or as a context manager."""

    every: ClassVar[list["Installation"]] = []
    """All of this process, whose logs are read at the end."""

    command: tuple[str, ...] = COMMAND
    """`undersign`: of this tree, or of another that is tested."""

    def __init__(self, data_dir: Path, **settings: str) -> None:
        self.every.append(self)
        self.data_dir = data_dir
        # The same at each start: links in mails still lead there.
        self._settings = {**dict(zip(_PORTS, map(str, free_ports(len(_PORTS))), strict=True)), **settings}
        self._log = data_dir.with_name(f"{data_dir.name}.out")
        self._process: subprocess.Popen[bytes] | None = None
        self._service: Client | None = None
        self._outbox: Outbox | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        code = self.stop()
        assert kind is not None or code == 0, self.output

    @property
    def output(self) -> str:
        """What the service has printed so far."""
        return self._log.read_text(encoding="utf-8")

    @property
    def dev_info(self) -> DevInfo:
        dev_info = read_dev_info(self.data_dir)
        assert dev_info, "the service does not run"
        return dev_info

    @property
    def service(self) -> Client:
        """A client of the API since the last start."""
        if self._service is None:
            self._service = connect(self.dev_info)
        return self._service

    @property
    def outbox(self) -> Outbox:
        """The mails that recipients have received."""
        if self._outbox is None:
            self._outbox = Outbox(self.dev_info.outbox_dir)
        return self._outbox

    @property
    def worker_metrics(self) -> str:
        """The address of the worker's metrics, if it was given a port for them."""
        return f"http://127.0.0.1:{self._settings['UNDERSIGN_WORKER_PORT']}/metrics"

    def environment(self) -> dict[str, str]:
        return environment(self.data_dir, **self._settings)

    def start(self) -> DevInfo:
        """Starts the service and waits until everything answers."""
        process = start_process([*self.command, "dev"], self.environment(), self._log)
        self._process = process
        printed = len(self.output)

        def answers() -> DevInfo | None:
            assert process.poll() is None, self.output
            # A service that was killed leaves its dev.json behind for a moment.
            return read_dev_info(self.data_dir) if "is running" in self.output[printed:] else None

        return eventually(answers, "everything answers", 3 * START_SECONDS)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self) -> int:
        """The process that started all others."""
        assert self._process, "the service does not run"
        return self._process.pid

    def _end(self) -> subprocess.Popen[bytes]:
        """Returns the first process, which the caller ends, after closing connections to it."""
        assert self._process
        if self._service:
            self._service.close()
            self._service = None
        return self._process

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs another command of `undersign` on the data directory to its end."""
        return subprocess.run(
            [*self.command, *arguments],
            env={**self.environment(), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def stop(self) -> int:
        """Stops it as Ctrl-C does; returns its exit code."""
        process = self._end()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        return process.wait(PATIENCE)

    def kill_all(self) -> None:
        """Kills all its processes at once."""
        process = self._end()
        for process_id in [process.pid, *descendants_of(process.pid)]:
            _kill(process_id)
        process.wait()

    def kill_supervisor(self) -> list[int]:
        """Kills the first process alone; returns the others, which have to notice."""
        process = self._end()
        others = list(descendants_of(process.pid))
        process.kill()
        process.wait()
        return others

    def kill_worker(self) -> None:
        _kill(self._child("worker"))

    def kill_api(self) -> None:
        _kill(self._child("api"))

    def kill_temporal(self) -> None:
        (server,) = (child for child in children_of(self.process_id) if "start-dev" in arguments_of(child))
        _kill(server)

    def stop_worker(self) -> int:
        """Asks the worker to stop, as a deployment does; returns its process id. Another one is started then."""
        worker = self._child("worker")
        os.kill(worker, signal.SIGTERM)
        return worker

    def _child(self, module: str) -> int:
        (process_id,) = (child for child in children_of(self.process_id) if arguments_of(child)[-1:] == [module])
        return process_id

    def log(self, name: str) -> str:
        """Returns what a process has logged since the last start."""
        return (self.data_dir / "logs" / f"{name}.log").read_text(encoding="utf-8")

    def files(self, part: str = "", folder: str = "objects") -> set[Path]:
        """Returns the files below a folder of the data whose paths contain `part`. Files may go meanwhile."""
        found = (Path(at, name) for at, _, names in os.walk(self.data_dir / folder) for name in names)
        return {path for path in found if part in str(path)}


def is_alive(process_id: int) -> bool:
    """Returns whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def _kill(process_id: int) -> None:
    with suppress(ProcessLookupError):  # it ended with its parent
        os.kill(process_id, signal.SIGKILL)


def descendants_of(process_id: int) -> Iterator[int]:
    for child in children_of(process_id):
        yield child
        yield from descendants_of(child)


def children_of(process_id: int) -> list[int]:
    listed = Path(f"/proc/{process_id}/task/{process_id}/children").read_text(encoding="ascii")
    return [int(number) for number in listed.split()]


def arguments_of(process_id: int) -> list[str]:
    return Path(f"/proc/{process_id}/cmdline").read_text(encoding="utf-8").strip("\0").split("\0")

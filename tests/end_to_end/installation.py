"""Undersign as its users run it: `undersign dev` in a process of its own, on a data directory of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from cli.dev.command import START_SECONDS
from cli.dev.data_directory import DevInfo, read_dev_info
from tests import ROOT
from tests.end_to_end.waiting import eventually
from tests.http_requests import PATIENCE

COMMAND = (sys.executable, "-m", "cli.main")
_ANY_PORTS = {
    "UNDERSIGN_API_PORT": "0",
    "UNDERSIGN_TEMPORAL_PORT": "0",
    "UNDERSIGN_TEMPORAL_UI_PORT": "0",
    "UNDERSIGN_POOL_PROCESSES": "1",
    **{f"UNDERSIGN_{kind}_PER_MINUTE": "0" for kind in ("READS", "WRITES", "TOKENS", "PAGES")},
}


class Installation:
    """One data directory, and the service that runs on it from time to time."""

    every: ClassVar[list["Installation"]] = []
    """All of this run of the tests, so that what they have logged can be read in the end."""

    command: tuple[str, ...] = COMMAND
    """How `undersign` is called: this tree's, unless something else is tested."""

    def __init__(self, data_dir: Path, **settings: str) -> None:
        self.every.append(self)
        self.data_dir = data_dir
        self._settings = settings
        self._log = data_dir.with_name(f"{data_dir.name}.out")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def output(self) -> str:
        """All that the service has said so far."""
        return self._log.read_text(encoding="utf-8")

    @property
    def dev_info(self) -> DevInfo:
        dev_info = read_dev_info(self.data_dir)
        assert dev_info, "the service does not run"
        return dev_info

    @property
    def worker_metrics(self) -> str:
        """Where its worker tells its figures, which was given a port for them."""
        return f"http://127.0.0.1:{self._settings['UNDERSIGN_WORKER_PORT']}/metrics"

    def environment(self) -> dict[str, str]:
        """This tree's code, and settings of which none comes from outside."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
        own = {"UNDERSIGN_DATA_DIR": str(self.data_dir), "PYTHONPATH": str(ROOT)}
        return {**inherited, **_ANY_PORTS, **own, **self._settings}

    def start(self) -> DevInfo:
        """Starts the service and waits until everything answers. Each start is on the ports of the first."""
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                [*self.command, "dev"],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._process = process

        def answers() -> DevInfo | None:
            assert process.poll() is None, self.output
            # Only this start's own dev_info counts: one that was killed leaves its dev_info behind for a moment.
            return read_dev_info(self.data_dir) if "is running" in self.output[started:] else None

        started = len(self.output)
        dev_info = eventually(answers, "everything answers", 3 * START_SECONDS)
        self._keep_ports(dev_info)
        return dev_info

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self) -> int:
        """The process above all others of it."""
        assert self._process, "the service does not run"
        return self._process.pid

    def _keep_ports(self, dev_info: DevInfo) -> None:
        """A later start is on the same ports, so that links in mails still lead there."""
        api, temporal, ui = (
            address.rpartition(":")[2]
            for address in (dev_info.api_url, dev_info.temporal_address, dev_info.temporal_ui_url)
        )
        self._settings |= {
            "UNDERSIGN_API_PORT": api,
            "UNDERSIGN_TEMPORAL_PORT": temporal,
            "UNDERSIGN_TEMPORAL_UI_PORT": ui,
        }

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Another command of `undersign` on the same data directory, to its end. It reads nothing."""
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
        """Asks it to stop, as Ctrl-C does; its exit code."""
        assert self._process
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        return self._process.wait(PATIENCE)

    def kill_all(self) -> None:
        """Ends every process of it at once, without a chance to do anything."""
        assert self._process
        for process_id in [self._process.pid, *descendants_of(self._process.pid)]:
            _kill(process_id)
        self._process.wait()

    def kill_supervisor(self) -> list[int]:
        """Ends the one process that a careless person would; the others, which have to notice."""
        assert self._process
        others = list(descendants_of(self._process.pid))
        self._process.kill()
        self._process.wait()
        return others

    def kill_worker(self) -> None:
        self._kill_engine("worker")

    def stop_worker(self) -> int:
        """Asks the worker alone to stop, as a deployment does; its process id. Another one is started then."""
        worker = self._engine("worker")
        os.kill(worker, signal.SIGTERM)
        return worker

    def log(self, name: str) -> str:
        """What an engine has logged in this run."""
        return (self.data_dir / "logs" / f"{name}.log").read_text(encoding="utf-8")

    def kill_api(self) -> None:
        self._kill_engine("api")

    def kill_temporal(self) -> None:
        assert self._process
        (server,) = (number for number in children_of(self._process.pid) if "start-dev" in arguments_of(number))
        _kill(server)

    def _kill_engine(self, module: str) -> None:
        _kill(self._engine(module))

    def _engine(self, module: str) -> int:
        assert self._process
        (engine,) = (number for number in children_of(self._process.pid) if arguments_of(number)[-1:] == [module])
        return engine


def is_alive(process_id: int) -> bool:
    """Returns whether that process still does anything; one that nobody has buried yet does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def _kill(process_id: int) -> None:
    with suppress(ProcessLookupError):  # it ended with one that was killed before it
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

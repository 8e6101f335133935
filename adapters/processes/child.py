"""The parent's side of a child process: its fork server, its pipes, and the jobs that it gets."""

import atexit
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from adapters.processes.confinement import forbid_inspection
from adapters.processes.frames import FORK, KILL, MESSAGE, read_frame, write_frame
from adapters.processes.results import ResultUnreadable, decode_result

_PASSED_ON = ("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TZ", "PYTHONDONTWRITEBYTECODE")
"""Variables that the fork server gets. It gets no other: secrets may be in any of them."""


class ChildEnded(Exception):
    """The child process has ended, or does not write what a child writes."""


class _ForkServer:
    """A running fork server. Its children end with it, and it ends with this process."""

    def __init__(self, warm_modules: Sequence[str]) -> None:
        forbid_inspection()
        ours, theirs = socket.socketpair()
        path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path if entry)
        variables = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        program = f"from adapters.processes.fork_server import main; main({list(warm_modules)!r})"
        with theirs, _blocked_signals():
            self._process = subprocess.Popen(  # noqa: S603  # a program of our own
                [sys.executable, "-P", "-c", program],
                cwd="/",
                env={**variables, "PYTHONPATH": path},
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
            )
        self._socket = ours
        # Request and answer of one thread stay together: the socket has no identifiers of requests.
        self._one = threading.Lock()

    def fork(self) -> tuple[int, int, int]:
        """Returns the id of a new child, the pipe for its requests, and that of its results. Raises `OSError`."""
        request_end, requests = os.pipe()
        results, result_end = os.pipe()
        try:
            with self._one:
                socket.send_fds(self._socket, [MESSAGE.pack(FORK, 0)], [request_end, result_end])
                answer = self._socket.recv(MESSAGE.size, socket.MSG_WAITALL)
            if len(answer) < MESSAGE.size:
                raise ConnectionError("the fork server has ended")
        except OSError:
            os.close(requests)
            os.close(results)
            raise
        finally:
            os.close(request_end)
            os.close(result_end)
        return MESSAGE.unpack(answer)[1], requests, results

    def kill(self, child: int) -> None:
        with suppress(OSError), self._one:  # a server that has ended has no children any more
            self._socket.sendall(MESSAGE.pack(KILL, child))

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


class _Servers:
    """The fork server of this process."""

    def __init__(self) -> None:
        self._current: _ForkServer | None = None

    def fork(self, warm_modules: Sequence[str]) -> tuple[_ForkServer, tuple[int, int, int]]:
        """Returns a new child and its server. The first call, and the first after its end, start a server."""
        while True:
            if self._current is None:
                self._current = _ForkServer(warm_modules)
            try:
                return self._current, self._current.fork()
            except OSError:
                self.close()

    def close(self) -> None:
        if self._current is not None:
            self._current.close()
            self._current = None


_SERVERS = _Servers()
atexit.register(_SERVERS.close)


class Child:
    """A child process, which does one job at a time. `ready` is done when it has loaded its modules.

    `memory` is the number of bytes that it may write to.
    """

    def __init__(self, memory: int, warm_modules: Sequence[str]) -> None:
        self._server, (self._id, self._requests, self._results) = _SERVERS.fork(warm_modules)
        self._pipes: tuple[int, ...] = (self._requests, self._results)
        # A child does one job at a time; its pipes are closed only while no thread reads them.
        self._turn = threading.Lock()
        self._is_killed = False
        self.ready: Future[None] = self._start(pickle.dumps((memory, tuple(warm_modules))))

    def submit(self, work: Callable[..., Any], *args: object, **kwargs: object) -> Future[Any]:
        """Returns the future result of `work`; it raises `ChildEnded` if the process ends first."""
        return self._start(pickle.dumps((work, args, kwargs)))

    def kill(self) -> None:
        """Ends the process, and the job that it does."""
        self._is_killed = True
        self._server.kill(self._id)
        if self._turn.acquire(blocking=False):
            self._close()

    def _start(self, request: bytes) -> Future[Any]:
        future: Future[Any] = Future()
        threading.Thread(target=self._answer, args=(request, future), daemon=True).start()
        return future

    def _answer(self, request: bytes, future: Future[Any]) -> None:
        future.set_running_or_notify_cancel()
        try:
            with self._turn:
                response = self._converse(request)
            future.set_result(decode_result(response) if response else None)
        except ResultUnreadable as error:
            future.set_exception(ChildEnded(str(error)))
        except Exception as error:  # noqa: BLE001  # the job's own
            future.set_exception(error)
        if self._is_killed:
            self._close()

    def _converse(self, request: bytes) -> bytes:
        try:
            write_frame(self._requests, request)
            return read_frame(self._results)
        except (OSError, EOFError) as error:
            raise ChildEnded(type(error).__name__) from error

    def _close(self) -> None:
        pipes, self._pipes = self._pipes, ()
        for pipe in pipes:
            os.close(pipe)


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Blocks SIGINT and SIGTERM, also in a fork server that is started meanwhile, and so in its children.

    Terminals and supervisors signal the whole process group; the parent ends its children.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

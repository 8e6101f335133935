"""A real Redis, on a socket of its own."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from tests.programs import program

_START_SECONDS = 120


@contextmanager
def redis_server() -> Iterator[str]:
    """The address of a server that keeps nothing, for as long as the context lasts."""
    with TemporaryDirectory() as folder:  # pytest's own folders are too deep for the name of a socket
        socket = Path(folder) / "redis.sock"
        command = [program("redis-server"), "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                _wait_for(socket)
                yield f"redis+unix://{socket}"
            finally:
                server.terminate()


def _wait_for(socket: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    with redis.Redis(unix_socket_path=str(socket)) as client:
        while True:
            try:
                client.ping()
            except redis.ConnectionError:
                assert time.monotonic() < deadline, "redis-server does not start"
                time.sleep(0.02)
            else:
                return

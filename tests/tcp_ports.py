"""Free ports for servers that tests start."""

import os
import secrets
import socket
from itertools import cycle

from cli.dev.programs import FREE_PORTS

_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def _ports_of_this_process() -> list[int]:
    """Returns the share of this process of a parallel run, from any port on.

    A server binds its port long after the port was chosen, and again after each restart. No other process of the run
    may choose the port meanwhile, and this one chooses all others first.
    """
    share = FREE_PORTS[_PROCESS::_PROCESSES]
    first = secrets.randbelow(len(share))
    return [*share[first:], *share[:first]]


_PORTS = cycle(_ports_of_this_process())


def free_ports(count: int, host: str = "127.0.0.1") -> list[int]:
    """Returns `count` different ports on which nothing listens."""
    return [free_port(host) for _ in range(count)]


def free_port(host: str = "127.0.0.1") -> int:
    """Returns a port on which nothing listens. `host` is an address of this machine."""
    return next(port for port in _PORTS if _is_free(host, port))


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError:
            return False
    return True


class QuietPort:
    """A port of 127.0.0.1 that refuses connections and that no other program can take until it is released."""

    def __init__(self) -> None:
        self.number = free_port()
        self._held: socket.socket | None = None
        self.hold()

    def hold(self) -> None:
        held = socket.socket()
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # past connections of a server that ended
        held.bind(("127.0.0.1", self.number))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)  # a server elsewhere that reuses addresses
        self._held = held

    def release(self) -> None:
        if self._held:
            self._held.close()

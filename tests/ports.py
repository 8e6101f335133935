"""Free ports for servers that tests start."""

import socket

from cli.dev.ports import PortRequest, allocate_ports


def free_ports(count: int, host: str = "127.0.0.1") -> list[int]:
    """Returns `count` different ports on which nothing listens."""
    return allocate_ports([PortRequest("a test", host, 0, "")] * count)


def free_port(host: str = "127.0.0.1") -> int:
    """Returns a port on which nothing listens. `host` is an address of this machine."""
    return free_ports(1, host)[0]


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

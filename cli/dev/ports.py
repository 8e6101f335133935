"""Allocates the ports of the service before its processes start."""

import errno
import secrets
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic, sleep
from typing import NamedTuple

from cli.errors import InvalidInput

_RETRY_SECONDS = 3.0
"""Seconds to wait for a port: processes of a run that was just killed may still be ending."""

FREE_PORTS = range(20_000, 32_768)
"""Range of free ports. No system assigns these to outgoing connections, which could take a port before it is used."""


class PortRequest(NamedTuple):
    """A listener, its address, and the setting of its port; port 0 means any free port."""

    owner: str
    host: str
    port: int
    variable: str


def allocate_ports(requests: Sequence[PortRequest]) -> list[int]:
    """Returns a different port for each request; raises `InvalidInput` with the variable to change."""
    with ExitStack() as sockets:  # all at once: each free port is allocated once
        return [_allocate(sockets, request) for request in requests]


def _allocate(sockets: ExitStack, request: PortRequest) -> int:
    deadline = monotonic() + _RETRY_SECONDS
    while True:
        listener = sockets.enter_context(socket.socket(socket.AF_INET6 if ":" in request.host else socket.AF_INET))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((request.host, request.port or secrets.choice(FREE_PORTS)))
            listener.listen()  # until then the system may assign the same port to another program
        except OSError as error:
            if error.errno != errno.EADDRINUSE or monotonic() > deadline:
                raise InvalidInput(_advice(request, error)) from error
            sleep(0.1)
        else:
            return int(listener.getsockname()[1])


def _advice(request: PortRequest, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {request.port}, which {request.owner} needs, is in use by another program. "
            f"Set {request.variable} to a free port, or to 0 for any free one."
        )
    if error.errno == errno.EACCES:
        return f"Port {request.port} needs root. Set {request.variable} to a port above 1023."
    # Only the API's host is a setting; the others listen on 127.0.0.1.
    return (
        f"{request.owner[0].upper()}{request.owner[1:]} cannot listen on {request.host}:{request.port} "
        f"({error.strerror or error}). Change UNDERSIGN_API_HOST or {request.variable}."
    )

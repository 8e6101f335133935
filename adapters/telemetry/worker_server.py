"""The HTTP server of a worker for Prometheus and liveness probes.

It runs in its own thread, so that it responds while the worker is busy.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import TimeoutError as NotInTime
from contextlib import contextmanager
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import ThreadingWSGIServer

from domain.shared.errors import ConfigError
from domain.shared.version import VERSION

ALIVE_SECONDS = 5.0
"""Seconds for the worker's event loop to respond before the worker counts as stuck."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Start = Callable[[str, list[tuple[str, str]]], Any]


def exposition(registry: CollectorRegistry, others: Callable[[], str]) -> bytes:
    """Returns all metrics in Prometheus' text format: those of `registry`, then the text of `others`."""
    return generate_latest(registry) + others().encode()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """No access log: Prometheus scrapes constantly."""


@contextmanager
def serve_metrics(
    address: tuple[str, int], registry: CollectorRegistry, others: Callable[[], str], is_ready: Callable[[], bool]
) -> Iterator[int]:
    """Serves `/metrics` and `/healthz` at `address` for the duration of the block. Yields the port.

    `/healthz` answers 200 (`alive`) while the worker `is_ready` and the caller's event loop responds, else 503:
    `starting` while the worker is not ready, `stuck` while the loop does not respond. Raises `ConfigError`.
    """
    loop = asyncio.get_running_loop()

    def answer(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        match environ["REQUEST_METHOD"], environ["PATH_INFO"]:
            case "GET", "/metrics":
                start("200 OK", [("Content-Type", CONTENT_TYPE)])
                return [exposition(registry, others)]
            case "GET", "/healthz":
                status = ("alive" if is_ready() else "starting") if _is_responsive(loop) else "stuck"
                code = "200 OK" if status == "alive" else "503 Service Unavailable"
                start(code, [("Content-Type", "application/json")])
                return [json.dumps({"status": status, "version": VERSION}).encode()]
        start("404 Not Found", [("Content-Type", "text/plain")])
        return [b"There are /metrics and /healthz here.\n"]

    host, port = address
    try:
        server = make_server(host, port, answer, server_class=ThreadingWSGIServer, handler_class=_Quiet)
    except OSError as error:
        raise ConfigError(
            f"Nothing can listen at {host}:{port} ({error.strerror}); change UNDERSIGN_WORKER_HOST or "
            "UNDERSIGN_WORKER_PORT."
        ) from error
    Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _is_responsive(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(ALIVE_SECONDS)
    except (NotInTime, RuntimeError):
        return False
    return True

"""A proxy before the storage server that answers some requests by itself, or spoils what passes through it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import urlsplit

_OF_ONE_CONNECTION = {"connection", "content-length", "host", "transfer-encoding"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request; `path` has its query."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """What is answered to it."""

    status: int
    headers: dict[str, str]
    body: bytes


Forward = Callable[[Asked], Answered]

Fault = Callable[[Asked, Forward], Answered | None]
"""Answers a request instead of the server, which it may ask; None leaves the request to others."""


@dataclass
class FaultyProxy:
    """The proxy at `address`; the first of its `faults` that answers does. `asked` is all that came, in its order."""

    address: str
    faults: list[Fault] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    def refuse(self, method: str, part: str, status: int, times: int | None = None) -> None:
        """Answers `method` at paths with `part` by `status`, so many times or always."""
        left, lock = [times], Lock()

        def fault(asked: Asked, _: Forward) -> Answered | None:
            if asked.method != method or part not in asked.path:
                return None
            with lock:
                if left[0] == 0:
                    return None
                left[0] = None if left[0] is None else left[0] - 1
            return refusal(status)

        self.faults.append(fault)


def refusal(status: int) -> Answered:
    """An error in Google's form. A bucket that keeps its objects gives the same reason as a role that is missing."""
    reasons = {400: "invalid", 403: "forbidden", 404: "notFound", 503: "backendError"}
    error = {"code": status, "message": "no", "errors": [{"domain": "global", "reason": reasons[status]}]}
    return answer({"error": error}, status)


def answer(content: object, status: int = 200) -> Answered:
    return Answered(status, {"content-type": "application/json"}, json.dumps(content).encode())


@contextmanager
def faulty_proxy(server: str, host: str = "127.0.0.1") -> Iterator[FaultyProxy]:
    """A proxy before `server` at `host`, for the duration of the block."""
    upstream = urlsplit(server).netloc
    proxy = FaultyProxy("")

    def forward(asked: Asked) -> Answered:
        connection = HTTPConnection(upstream, timeout=120)
        try:
            connection.request(asked.method, asked.path, asked.body, asked.headers)
            response = connection.getresponse()
            return Answered(response.status, _passed_on(dict(response.getheaders())), response.read())
        finally:
            connection.close()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            proxy.connections += 1
            super().setup()

        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = Asked(self.command, self.path, _passed_on(dict(self.headers)), body)
            proxy.asked.append(asked)
            answers = (fault(asked, forward) for fault in proxy.faults)
            answered = next((found for found in answers if found), None) or forward(asked)
            self.send_response(answered.status)
            for name, value in answered.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answered.body)))
            self.end_headers()
            self.wfile.write(answered.body)

        do_GET = do_POST = do_PUT = do_DELETE = _pass  # noqa: N815  # the names are http.server's

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    class Listening(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    with Listening((host, 0), Handler) as listening:
        proxy.address = f"http://{host}:{listening.server_address[1]}"
        Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield proxy
        finally:
            listening.shutdown()


def _passed_on(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _OF_ONE_CONNECTION}

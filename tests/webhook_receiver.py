"""An HTTP server that receives callbacks."""

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Self


class WebhookReceiver:
    """Listens until it is closed. `calls` counts by callback; `received` and `bodies` are of those it accepted."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.calls: Counter[str] = Counter()
        self.received: set[str] = set()
        self.bodies: list[dict[str, Any]] = []
        self._lock = Lock()
        self._server = ThreadingHTTPServer((host, 0), _handler(self))
        Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return f"http://{self._server.server_address[0]!s}:{self._server.server_address[1]}/"

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Returns the status of the response to a callback. Names of headers are in lower case."""
        callback = headers.get("webhook-id", "")
        with self._lock:
            self.calls[callback] += 1
            status = self.judge(callback, headers, body)
            if status < 400:
                self.received.add(callback)
                self.bodies.append(json.loads(body))
        return status

    def judge(self, callback: str, headers: dict[str, str], body: bytes) -> int:
        """Returns the status for a callback, one at a time."""
        return 204

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(receiver: WebhookReceiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:  # the name is http.server's
            length = int(self.headers.get("content-length") or -1)
            body = self.rfile.read(max(length, 0))
            if len(body) != length:  # the sender was killed while it sent
                self.close_connection = True
                return
            self.send_response(receiver.take({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing."""

    return Handler

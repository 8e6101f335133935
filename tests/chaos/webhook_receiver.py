"""A receiver of callbacks that answers every third call with an error, and remembers what it was told."""

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from domain.callbacks.callback import SESSION_DELETED
from tests.fakes.standard_webhooks import is_genuine

MOST_REFUSALS = 5
"""Of one callback, which is tried ten times and then given up: as it should be, if it was refused each time."""


class WebhookReceiver:
    """Listens until it is closed. `received` are the identifiers of what it took, `forged` of what was not genuine, and
    `deleted` those of the sessions that it was told are deleted.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.secret = ""
        self.received: set[str] = set()
        self.forged: set[str] = set()
        self.deleted: set[str] = set()
        self.calls = 0
        self._refused: Counter[str] = Counter()
        self._lock = Lock()
        self._server = ThreadingHTTPServer((host, 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{self._server.server_address[0]!s}:{self._server.server_address[1]}/"

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """What to answer."""
        with self._lock:
            self.calls += 1
            event = headers.get("webhook-id", "")
            if not is_genuine(self.secret, headers, body):
                self.forged.add(event)
            if self.calls % 3 == 0 and self._refused[event] < MOST_REFUSALS:
                self._refused[event] += 1
                return 503
            self.received.add(event)
            told = json.loads(body)
            if told["type"] == SESSION_DELETED:
                self.deleted.add(told["data"]["sessionId"])
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
            if len(body) != length:  # its sender was killed in the middle of it: nothing was told yet
                self.close_connection = True
                return
            status = receiver.take({name.lower(): value for name, value in self.headers.items()}, body)
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what was received is remembered."""

    return Handler

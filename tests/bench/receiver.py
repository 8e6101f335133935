"""A healthy receiver of callbacks."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Receiver:
    """Answers 204 at once until it is closed. `heard` has the identifiers of the callbacks that came."""

    def __init__(self) -> None:
        self.heard: set[str] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self.heard))
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(heard: set[str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name is http.server's
            self.rfile.read(int(self.headers["content-length"]))
            heard.add(self.headers["webhook-id"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    return Handler

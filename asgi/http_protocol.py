"""uvicorn's HTTP protocol with a limit on the size of request heads."""

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD = 65_536
"""Bytes of the request line and the header fields, and of what surrounds the parts of a chunked body."""


class BoundedHttp(HttpToolsProtocol):
    """Answers 400 to a request whose head is larger than `MAX_HEAD`, and closes the connection.

    httptools itself buffers heads of any size.
    """

    _unfinished = 0
    """Bytes received since the last complete head or part of a body."""

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD:
            raise HttpParserError("The head of the request is too large.")
        self._unfinished = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unfinished = 0
        super().on_message_complete()

"""`Strict-Transport-Security`: browsers use https only."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "Strict-Transport-Security"
VALUE = "max-age=31536000"
"""One year, without subdomains."""


class TransportSecurity:
    """Adds the header to every answer. For a service whose public address is https."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = VALUE
            await send(message)

        await self._app(scope, receive, send_with_header if scope["type"] == "http" else send)

"""HEAD for every GET route: the same response without its body.

The route sees GET. Use cases check `is_head`, so that a HEAD records no download.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.request_scope import _is_head


class HeadMiddleware:
    """Passes HEAD on as GET, and drops the body of the response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        token = _is_head.set(True)
        try:
            await self._app({**scope, "method": "GET"}, receive, send_head)
        finally:
            _is_head.reset(token)

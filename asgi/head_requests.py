"""HEAD, wherever GET is: the same answer without its body, by construction.

A route sees GET. What a GET records, such as that somebody got a copy, is not recorded for a HEAD (`is_head`).
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.request_scope import _is_head


class HeadMiddleware:
    """Has every HEAD answered as a GET, and drops the body."""

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

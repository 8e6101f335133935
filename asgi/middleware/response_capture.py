"""The status of a response and the route of a request, for middleware."""

from starlette.types import Message, Scope, Send


class NotedAnswer:
    """Passes a response on to `send`, and remembers its status; 0 until the response has started."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def route_of(scope: Scope) -> str | None:
    """Returns the path template of the matched route; None if no route matched."""
    return getattr(scope.get("route"), "path", None)

"""What middleware notes of a request and its answer as they pass."""

from starlette.types import Message, Scope, Send


class NotedAnswer:
    """Passes an answer on to `send`. `status` is 0 until it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def route_of(scope: Scope) -> str | None:
    """The path of the route that was found, with the names of its parameters; None where there is none."""
    return getattr(scope.get("route"), "path", None)

"""`/mcp`: Streamable HTTP, one message a request, nothing kept between two of them.

Who calls is checked before the message is looked at, by the check of the API. What is refused here is refused by HTTP:
401 with the address of the resource's metadata (RFC 9728), 429, and 403 with the scope that a client may ask for; the
body is a JSON-RPC error whose `data` is the body that the API has for it.
"""

from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from api.mcp.server import check_scope, create_server
from api.mcp.tools.catalogue import TOOLS
from application.errors import InsufficientScope, RateLimited, ServiceError, Unauthorized
from application.json_limits import exceeded_limit
from application.oauth.authenticate import authenticate
from application.services import Services
from asgi.error_handlers import body_of, find_mapping, headers_of
from asgi.middleware.body_limit import MAX_MESSAGE
from asgi.rate_limits import count_call

PATH = "/mcp"


class AssistantTools:
    """Takes the requests to `/mcp`."""

    path = PATH

    def __init__(self, app: FastAPI) -> None:
        self._services: Services = app.state.services
        self._server: Server[Any] = create_server(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self  # the log names it
        request = Request(scope, receive)
        asked: dict[str, Any] = {}
        try:
            refusal = await self._refusal(request, asked)
        except (Unauthorized, RateLimited, InsufficientScope) as error:
            refusal = _refuse(
                error, asked.get("id"), f"{self._services.base_url}/.well-known/oauth-protected-resource{PATH}"
            )
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        # A manager serves for one run only, and has nothing to remember: each request has its own.
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MAX_MESSAGE
        )
        async with manager.run():
            await manager.handle_request(scope, _again(await request.body(), receive), send)

    async def _refusal(self, request: Request, asked: dict[str, Any]) -> Response | None:
        """Refuses who may not ask this. `asked` is filled with the message as soon as it may be read."""
        if not _is_own(request.headers.get("origin"), self._services.base_url):
            return _error(403, "This address takes no requests of pages of other origins.", None)
        identity = await authenticate(self._services, request.app.state.tokens, request.headers.get("authorization"))
        request.state.identity = identity
        excess = exceeded_limit(await request.body())
        if excess is not None:
            return _error(400, excess, None)
        asked.update(_message(await request.body()))
        tool = TOOLS.get(_called(asked))
        await count_call(request, self._services, identity.organisation_id, tool is None or tool.counts_as_read)
        if tool is not None:
            check_scope(tool, identity)
        return None


def _is_own(origin: str | None, base_url: str) -> bool:
    own = urlsplit(base_url)
    return origin is None or origin == f"{own.scheme}://{own.netloc}"


def _message(body: bytes) -> dict[str, Any]:
    """The message, as far as it is one; what is wrong with it is for the protocol to say."""
    try:
        message = from_json(body)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _called(message: dict[str, Any]) -> str:
    """The name of the tool that `message` calls, if it does."""
    params = message.get("params")
    name = params.get("name") if message.get("method") == "tools/call" and isinstance(params, dict) else None
    return name if isinstance(name, str) else ""


def _refuse(error: ServiceError, message_id: object, metadata: str) -> Response:
    problem, body = find_mapping(type(error)), body_of(error)
    assert problem is not None  # noqa: S101  # the refusals of this module have rows in the table
    assert body is not None  # noqa: S101
    headers = dict(headers_of(error))
    if "WWW-Authenticate" in headers:
        scheme, _, others = headers["WWW-Authenticate"].partition(" ")
        parts = [f'resource_metadata="{metadata}"', *([others] if others else [])]
        headers["WWW-Authenticate"] = f"{scheme} {', '.join(parts)}"
    data = body.model_dump(mode="json", exclude_none=True)
    response = _error(problem.status.value, body.message, message_id, data)
    response.headers.update(headers)
    return response


def _error(status: int, message: str, message_id: object, data: object = None) -> Response:
    known = message_id if isinstance(message_id, int | str) and not isinstance(message_id, bool) else None
    body = JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=INVALID_REQUEST, message=message, data=data))
    return JSONResponse(body.model_dump(mode="json", by_alias=True, exclude_unset=True), status)


def _again(body: bytes, receive: Receive) -> Receive:
    """Hands `body`, which was read, out once more."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay

"""`/mcp`: MCP over Streamable HTTP, with one message per request and without MCP sessions.

The caller is authenticated as by the API, before the message is parsed. Refusals of access are HTTP responses: 401 with
the address of the resource's metadata (RFC 9728), 429, and 403 with the missing scope. The body is a JSON-RPC error
with the error body of the API as `data`.
"""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError
from pydantic_core import from_json
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from api.mcp.server import TOOLS, create_server
from application.errors import InsufficientScope, RateLimited, ServiceError, Unauthorized
from application.oauth.authenticate import authenticate
from application.off_loop import off_loop
from application.parse_json import exceeded_limit, find_json_fault
from application.services import Services
from web.asgi.client_address import audit_context_of
from web.asgi.error_handlers import STATUSES, body_of, headers_of
from web.asgi.rate_limits import count_call

PATH = "/mcp"


class AssistantTools:
    """The ASGI application of `/mcp`."""

    path = PATH

    def __init__(self, app: FastAPI) -> None:
        self._services: Services = app.state.services
        self._server: Server[Any] = create_server(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self  # the request log reads its path
        request = Request(scope, receive)
        refusal = await self._refuse(request)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        _name_types(scope)
        # A manager can run once only, and is stateless: each request has its own.
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, _replay(await request.body(), receive), send)

    async def _refuse(self, request: Request) -> Response | None:
        """Returns the response to a request without access; otherwise stores the caller in the request's state."""
        if not _is_own(request.headers.get("origin"), self._services.base_url):
            return _error(403, "Requests from pages of other origins are refused.", None)
        message: dict[str, Any] = {}
        try:
            request.state.caller = caller = await authenticate(
                self._services,
                request.app.state.tokens,
                request.headers.get("authorization"),
                partial(audit_context_of, request),
            )
            body = await request.body()
            fault, message = await off_loop(len(body), lambda: _read(body))
            if fault is not None:
                return _error(400, fault, None)
            tool = TOOLS.get(_tool_name(message))
            await count_call(request, caller, tool.scopes if tool else (), tool is None or tool.counts_as_read)
        except (Unauthorized, RateLimited, InsufficientScope) as error:
            metadata = f"{self._services.base_url}/.well-known/oauth-protected-resource{PATH}"
            return _access_error(error, message.get("id"), metadata)
        return None


def _name_types(scope: Scope) -> None:
    """Adds the headers whose absence means any type to HTTP (RFC 9110 sections 8.3 and 12.5.1), but not to the SDK."""
    headers = MutableHeaders(scope=scope)
    for name in ("Accept", "Content-Type"):
        if not headers.get(name, "").strip():
            headers[name] = "application/json"


def _is_own(origin: str | None, base_url: str) -> bool:
    own = urlsplit(base_url)
    return origin is None or origin == f"{own.scheme}://{own.netloc}"


def _read(body: bytes) -> tuple[str | None, dict[str, Any]]:
    """Returns what refuses the body, and the message; an empty one if it is malformed, which the SDK reports."""
    if excess := exceeded_limit(body):
        return excess, {}
    if fault := find_json_fault(body):
        return fault.message, {}
    try:
        message = from_json(body)
    except ValueError:
        return None, {}
    return None, message if isinstance(message, dict) else {}


def _tool_name(message: dict[str, Any]) -> str:
    """Returns the name of the tool that `message` calls; "" if it calls none."""
    params = message.get("params")
    name = params.get("name") if message.get("method") == "tools/call" and isinstance(params, dict) else None
    return name if isinstance(name, str) else ""


def _access_error(error: ServiceError, message_id: object, metadata: str) -> Response:
    body, headers = body_of(error), headers_of(error)
    assert body is not None  # noqa: S101  # every `ServiceError` has a body
    if "WWW-Authenticate" in headers:
        scheme, _, others = headers["WWW-Authenticate"].partition(" ")
        parts = [f'resource_metadata="{metadata}"', *([others] if others else [])]
        headers["WWW-Authenticate"] = f"{scheme} {', '.join(parts)}"
    data = body.model_dump(mode="json", exclude_none=True)
    response = _error(STATUSES[error.code], body.message, message_id, data)
    response.headers.update(headers)
    return response


def _error(status: int, message: str, message_id: object, data: object = None) -> Response:
    known = message_id if isinstance(message_id, int | str) and not isinstance(message_id, bool) else None
    body = JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=INVALID_REQUEST, message=message, data=data))
    return JSONResponse(body.model_dump(mode="json", by_alias=True, exclude_unset=True), status)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Returns a `receive` that starts with `body`, which was read before."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay

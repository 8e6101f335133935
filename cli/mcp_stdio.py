"""`undersign mcp`: serves the assistant tools of a running service over standard input and output.

Credentials come from the environment, never from arguments, which other users of the machine can read.
"""

import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from mcp import types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from cli.data_directory import read_dev_info
from cli.output import InvalidInput, NotRunning
from config.loader import FILE_SUFFIX, read
from domain.shared.errors import ConfigError

TIMEOUT = httpx2.Timeout(60.0, connect=5.0)
"""Timeouts in seconds. Rendering a long document takes a while."""

Context = ServerRequestContext[Any, Any]
Page = types.PaginatedRequestParams | None


class McpEnvironment(BaseSettings):
    """Settings of this command: the address of the service, and a token, or the id and the secret of a client."""

    model_config = SettingsConfigDict(frozen=True, env_prefix="UNDERSIGN_")

    data_dir: Path = Path(".undersign")
    url: str | None = None
    token: SecretStr | None = None
    client_id: str | None = None
    client_secret: SecretStr | None = None


class Credentials(NamedTuple):
    """A token for the service at `url`, or the id and the secret of a client."""

    url: str
    token: str | None
    client: tuple[str, str] | None = None


def read_credentials(environment: Mapping[str, str] = os.environ) -> Credentials:
    """Returns the credentials in the environment; without an address, those of the service on this machine.

    Raises:
        InvalidInput: the credentials are incomplete, or a file that a variable names cannot be read.
        NotRunning: no address is given, and no service runs on this machine.
    """
    names = {f"UNDERSIGN_{name.upper()}" for name in McpEnvironment.model_fields}
    own = {name: value for name, value in environment.items() if name.removesuffix(FILE_SUFFIX) in names}
    try:
        given = read(McpEnvironment, own)
    except ConfigError as error:
        raise InvalidInput(str(error)) from None
    running = None if given.url else read_dev_info(given.data_dir)
    url = given.url or (running.api_url if running else None)
    if url is None:
        raise NotRunning("No service runs here. Set UNDERSIGN_URL to the address of one.")
    if given.token is not None:
        return Credentials(url.rstrip("/"), given.token.get_secret_value())
    if given.client_id is not None and given.client_secret is not None:
        return Credentials(url.rstrip("/"), None, (given.client_id, given.client_secret.get_secret_value()))
    if running is not None and given.client_id is None:
        return Credentials(url.rstrip("/"), None, (running.client_id, running.client_secret))
    raise InvalidInput("Set UNDERSIGN_TOKEN, or UNDERSIGN_CLIENT_ID and UNDERSIGN_CLIENT_SECRET.")


class TokenTransport(httpx2.AsyncBaseTransport):
    """Adds an access token to requests, and renews it when it has expired.

    If the service does not respond or issues no token, it returns a JSON-RPC error: an assistant can report that and
    continue later.
    """

    def __init__(self, credentials: Credentials, transport: httpx2.AsyncBaseTransport) -> None:
        self._url, self._token, self._client = credentials
        self._transport = transport

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            if self._token is None:
                self._token = await self._request_token()
            answer = await self._send(request)
            if answer.status_code == httpx2.codes.UNAUTHORIZED and self._client is not None:
                await answer.aclose()
                self._token = await self._request_token()  # the former one has expired
                answer = await self._send(request)
        except httpx2.TransportError:
            return _error_response(503, f"No service answers at {self._url}.")
        return answer

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        if self._token is None:
            return _error_response(401, "The service gives no token to this client. Check its id and its secret.")
        request.headers["Authorization"] = f"Bearer {self._token}"
        return await self._transport.handle_async_request(request)

    async def _request_token(self) -> str | None:
        """Returns a new token; None if the service issues none."""
        client_id, secret = self._client or ("", "")
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
        request = httpx2.Request(
            "POST", f"{self._url}/oidc/token", data=form, extensions={"timeout": TIMEOUT.as_dict()}
        )
        answer = await self._transport.handle_async_request(request)
        await answer.aread()
        return str(answer.json()["access_token"]) if answer.status_code == httpx2.codes.OK else None

    async def aclose(self) -> None:
        await self._transport.aclose()


def _error_response(status: int, message: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": message}}
    return httpx2.Response(status, json=body)


async def serve(credentials: Credentials) -> None:
    """Serves until standard input ends; raises `NotRunning` if no service responds, or it rejects the client."""
    transport = TokenTransport(credentials, httpx2.AsyncHTTPTransport())
    async with AsyncExitStack() as opened:
        http = await opened.enter_async_context(httpx2.AsyncClient(transport=transport, timeout=TIMEOUT))
        try:
            service = await opened.enter_async_context(
                Client(streamable_http_client(f"{credentials.url}/mcp", http_client=http))
            )
        except* MCPError as refused:
            first: BaseException = refused
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            raise NotRunning(str(first)) from refused
        server = proxy_to(service)
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())


def proxy_to(service: Client) -> Server[Any]:
    """Returns an MCP server that forwards all requests to `service`."""

    async def tools(_: Context, __: Page) -> types.ListToolsResult:
        return await service.list_tools()

    async def call(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await service.call_tool(params.name, params.arguments)

    async def resources(_: Context, __: Page) -> types.ListResourcesResult:
        return await service.list_resources()

    async def resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await service.read_resource(str(params.uri))

    async def prompts(_: Context, __: Page) -> types.ListPromptsResult:
        return await service.list_prompts()

    async def prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await service.get_prompt(params.name, params.arguments)

    info = service.server_info
    return Server(
        info.name if info else "undersign",
        title=info.title if info else None,
        version=info.version if info else "",
        instructions=service.instructions,
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_read_resource=resource,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )

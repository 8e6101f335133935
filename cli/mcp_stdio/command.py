"""`undersign mcp`: serves the assistant tools of a running service over standard input and output.

Credentials come from the environment, never from arguments, which other users of the machine can read.
"""

import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from cli.dev.dev_info import read_dev_info
from cli.errors import InvalidInput, NotRunning
from cli.mcp_stdio.proxy import proxy_to
from config.loader import FILE_SUFFIX, read
from domain.shared.errors import ConfigError

TIMEOUT = httpx2.Timeout(60.0, connect=5.0)
"""In seconds; rendering a long document takes a while."""


class McpEnvironment(BaseSettings):
    """Settings of this command: the address of the service, and a token, or the id and the secret of a client."""

    model_config = SettingsConfigDict(frozen=True, env_prefix="UNDERSIGN_")

    data_dir: Path = Path(".undersign")
    url: str | None = None
    token: SecretStr | None = None
    client_id: str | None = None
    client_secret: SecretStr | None = None


class Credentials:
    """A token for the service at `url`, or the id and the secret of a client."""

    def __init__(self, url: str, token: str | None, client: tuple[str, str] | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self.client = client


def read_environment(environment: Mapping[str, str] = os.environ) -> McpEnvironment:
    """Reads the settings of this command; ignores those of a service.

    Raises:
        InvalidInput: a file that a variable names cannot be read.
    """
    names = {f"UNDERSIGN_{name.upper()}" for name in McpEnvironment.model_fields}
    ours = {name: value for name, value in environment.items() if name.removesuffix(FILE_SUFFIX) in names}
    try:
        return read(McpEnvironment, ours)
    except ConfigError as error:
        raise InvalidInput(str(error)) from None


def credentials_from(environment: McpEnvironment) -> Credentials:
    """Returns the credentials in the environment; without an address, those of the service on this machine.

    Raises:
        InvalidInput: the credentials are incomplete.
        NotRunning: no address is given, and no service runs on this machine.
    """
    token, secret = environment.token, environment.client_secret
    if environment.url is None:
        running = read_dev_info(environment.data_dir)
        if running is None:
            raise NotRunning("No service runs here. Set UNDERSIGN_URL to the address of one.")
        if token is None and environment.client_id is None:
            return Credentials(running.api_url, None, (running.client_id, running.client_secret))
        url = running.api_url
    else:
        url = environment.url
    if token is not None:
        return Credentials(url, token.get_secret_value())
    if environment.client_id is None or secret is None:
        raise InvalidInput("Set UNDERSIGN_TOKEN, or UNDERSIGN_CLIENT_ID and UNDERSIGN_CLIENT_SECRET.")
    return Credentials(url, None, (environment.client_id, secret.get_secret_value()))


class TokenTransport(httpx2.AsyncBaseTransport):
    """Adds an access token to requests, and renews it when it has expired.

    If the service does not answer or issues no token, it returns a JSON-RPC error: an assistant can report that and
    continue later.
    """

    def __init__(self, credentials: Credentials, transport: httpx2.AsyncBaseTransport) -> None:
        self._credentials = credentials
        self._transport = transport
        self._token = credentials.token

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            answer = await self._send(request)
            if answer.status_code == httpx2.codes.UNAUTHORIZED and self._credentials.client is not None:
                await answer.aclose()
                self._token = None  # it has expired
                answer = await self._send(request)
        except httpx2.TransportError:
            return _error_response(503, f"No service answers at {self._credentials.url}.")
        return answer

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        refusal = await self._get_token() if self._token is None else None
        if refusal is not None:
            return refusal
        request.headers["Authorization"] = f"Bearer {self._token}"
        return await self._transport.handle_async_request(request)

    async def _get_token(self) -> httpx2.Response | None:
        """Stores a new token; returns an error response if there is none."""
        client_id, secret = self._credentials.client or ("", "")
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": secret}
        asking = httpx2.Request(
            "POST", f"{self._credentials.url}/oidc/token", data=form, extensions={"timeout": TIMEOUT.as_dict()}
        )
        answer = await self._transport.handle_async_request(asking)
        await answer.aread()
        if answer.status_code == httpx2.codes.OK:
            self._token = str(answer.json()["access_token"])
            return None
        return _error_response(401, "The service gives no token to this client. Check its id and its secret.")

    async def aclose(self) -> None:
        await self._transport.aclose()


def _error_response(status: int, message: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": message}}
    return httpx2.Response(status, json=body)


async def serve(credentials: Credentials) -> None:
    """Serves until standard input ends.

    Raises:
        NotRunning: no service answers, or it rejects the client.
    """
    door = TokenTransport(credentials, httpx2.AsyncHTTPTransport())
    async with AsyncExitStack() as opened:
        http = await opened.enter_async_context(httpx2.AsyncClient(transport=door, timeout=TIMEOUT))
        try:
            service = await opened.enter_async_context(
                Client(streamable_http_client(f"{credentials.url}/mcp", http_client=http))
            )
        except* MCPError as refused:
            raise NotRunning(_first_message(refused)) from refused
        server = proxy_to(service)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


def _first_message(refused: BaseExceptionGroup[BaseException]) -> str:
    first: BaseException = refused
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return str(first)

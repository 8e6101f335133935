"""An assistant: the official client, whose consent page a browser answers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests import http_requests
from tests.browser.visitor import PATIENCE


@dataclass
class Kept:
    """What the assistant keeps on its disk, in memory."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@dataclass
class Ear:
    """The assistant's own server, to which browsers are led back."""

    heard: asyncio.Queue[AuthorizationCodeResult] = field(default_factory=asyncio.Queue)

    async def hear(self) -> AuthorizationCodeResult:
        """What the browser was led back with."""
        async with asyncio.timeout(PATIENCE / 1000):
            return await self.heard.get()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readline()).decode().split(" ")[1]
        told = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        if urlsplit(path).path == "/callback":
            self.heard.put_nowait(AuthorizationCodeResult(**told))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>Back</h1>")
        await writer.drain()
        writer.close()


@dataclass
class Connected:
    """An assistant at work."""

    mcp: Client
    access: OAuthClientProvider

    def forget_access_token(self) -> None:
        """As if its time were over."""
        self.access.context.token_expiry_time = 1


@asynccontextmanager
async def assistant(url: str, kept: Kept, decide: Callable[[str], Awaitable[None]]) -> AsyncIterator[Connected]:
    """Connected to the service at `url`; `decide` opens the consent page."""
    ear = Ear()
    server = await asyncio.start_server(ear.take, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]

    provider = OAuthClientProvider(
        f"{url}/mcp",
        OAuthClientMetadata(
            client_name="Assistant of the tests",
            redirect_uris=[AnyUrl(f"http://127.0.0.1:{port}/callback")],
            token_endpoint_auth_method="none",
            grant_types=["authorization_code", "refresh_token"],
        ),
        kept,
        decide,
        ear.hear,
    )
    async with (
        server,
        httpx2.AsyncClient(auth=provider, trust_env=False, timeout=http_requests.PATIENCE) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield Connected(client, provider)

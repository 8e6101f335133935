"""The official client, as an assistant that speaks to the service of the tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from adapters.database.port import ClientCredentials
from tests.api.service import BASE_URL, EVERYTHING, OWN, Service, bearer


@asynccontextmanager
async def assistant(
    service: Service, client: ClientCredentials = OWN, scopes: tuple[str, ...] = EVERYTHING, **members: Any
) -> AsyncIterator[Client]:
    """An assistant with a token of `client`."""
    transport = httpx2.ASGITransport(app=service.app, client=("192.0.2.7", 40000))
    async with (
        httpx2.AsyncClient(transport=transport, headers=bearer(client, scopes)) as http,
        Client(streamable_http_client(f"{BASE_URL}/mcp", http_client=http), **members) as connected,
    ):
        yield connected

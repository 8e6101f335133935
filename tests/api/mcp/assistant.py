"""The official client, as an assistant that speaks to the service of the tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from fastapi import FastAPI
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from domain.ports.database import ClientCredentials
from tests.api.service import BASE_URL, EVERYTHING, OWN, Service, bearer

_output_schemas: dict[str, dict[str, Any] | None] = {}
"""What the tools answer, by tool. Every connection would list all tools again, which takes longer than most calls."""


@asynccontextmanager
async def assistant(
    service: Service, client: ClientCredentials = OWN, app: FastAPI | None = None, **members: Any
) -> AsyncIterator[Client]:
    """An assistant with a token of `client`, for everything."""
    transport = httpx2.ASGITransport(app=app or service.app, client=("192.0.2.7", 40000))
    async with (
        httpx2.AsyncClient(transport=transport, headers=bearer(client, EVERYTHING)) as http,
        Client(streamable_http_client(f"{BASE_URL}/mcp", http_client=http), **members) as connected,
    ):
        known = connected.session._tool_output_schemas
        known.update(_output_schemas)
        yield connected
        _output_schemas.update(known)


async def call(service: Service, tool: str, arguments: dict[str, Any], **members: Any) -> CallToolResult:
    """One call of one tool, however it ends. The client checks the answer against the schema of the tool."""
    async with assistant(service, **members) as mcp:
        return await mcp.call_tool(tool, arguments)


async def done(service: Service, tool: str, arguments: dict[str, Any], **members: Any) -> dict[str, Any]:
    """What a tool answers that does what it is asked for."""
    result = await call(service, tool, arguments, **members)
    assert not result.is_error, result.structured_content
    return dict(result.structured_content)


async def refused(service: Service, tool: str, arguments: dict[str, Any], **members: Any) -> dict[str, Any]:
    """What a tool answers that refuses what it is asked for."""
    result = await call(service, tool, arguments, **members)
    assert result.is_error, result.structured_content
    return dict(result.structured_content)


def text(result: CallToolResult) -> str:
    """What the result says in words."""
    return "\n".join(part.text for part in result.content if part.type == "text")

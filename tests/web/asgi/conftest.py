"""A server with the configuration of production, and a connection to it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn

from api.serve import configure
from config.settings import Settings
from tests.api.service import Service
from tests.web.asgi.connections import Streams
from web.asgi.http_protocol import BoundedHttp


@pytest.fixture
async def port(service: Service) -> AsyncIterator[int]:
    """The port of a server with the configuration of production."""
    config = configure(service.services(), Settings())
    config.load()
    assert config.http_protocol_class is BoundedHttp
    uvicorn_server = uvicorn.Server(config)
    uvicorn_server.lifespan = config.lifespan_class(config)
    listening = await asyncio.get_running_loop().create_server(
        lambda: BoundedHttp(config=config, server_state=uvicorn_server.server_state, app_state={}), "127.0.0.1", 0
    )
    yield listening.sockets[0].getsockname()[1]
    listening.close()


@pytest.fixture
async def connection(port: int) -> AsyncIterator[Streams]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    yield reader, writer
    writer.close()

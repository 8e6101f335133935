"""A load balancer in front of several APIs: gives connections to those that answer, in turns."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from threading import Thread
from typing import Self

from tests.tcp_ports import free_port

CONNECT_SECONDS = 0.3
"""Limit for a connection to an API."""

IDLE_SECONDS = 25.0
"""Longer than any answer takes: a host that is cut off does not close its connections."""


class Balancer:
    """Listens at `host` on a free port, and passes bytes to `places`."""

    def __init__(self, host: str, places: Sequence[tuple[str, int]]) -> None:
        self._host, self._places, self._turn = host, list(places), count()
        self._port = free_port(host)
        self._loop = asyncio.new_event_loop()

    @property
    def url(self) -> str:
        return f"http://{self._host}:{self._port}"

    def __enter__(self) -> Self:
        Thread(target=self._serve, name="balancer", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._take, self._host, self._port))
        self._loop.run_forever()

    async def _take(self, reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            for _ in self._places:
                place = self._places[next(self._turn) % len(self._places)]
                try:
                    async with asyncio.timeout(CONNECT_SECONDS):
                        there = await asyncio.open_connection(*place)
                    break
                except OSError:
                    continue
            else:
                writer.close()
                return
            await asyncio.gather(_pass(reader, there[1]), _pass(there[0], writer))


async def _pass(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while True:
            async with asyncio.timeout(IDLE_SECONDS):
                part = await reader.read(65_536)
            if not part:
                break
            writer.write(part)
            await writer.drain()
    writer.close()

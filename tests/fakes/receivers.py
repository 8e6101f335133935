"""Receivers of callbacks on real sockets of this machine, that fail in every way a receiver can."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Received:
    """One request, as it came."""

    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A server that answers one request a connection as it is told to. `connections` counts all that were made."""

    answer: Answer
    port: int = 0
    connections: int = 0
    received: list[Received] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/callbacks?tenant=7"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.split(": ", 1) for line in head[1:] if ": " in line)
            headers = {name.lower(): value for name, value in pairs}
            body = await reader.readexactly(int(headers["content-length"]))
            self.received.append(Received(head[0].split(" ")[1], headers, body))
            await self.answer(writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # cancelled: the test is over, and asyncio would tell of it as of an error
        finally:
            writer.close()


@asynccontextmanager
async def receiving(
    answer: Answer, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Receiver]:
    """A receiver that answers so, for as long as the context lasts."""
    receiver = Receiver(answer)
    connections: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        connections.add(task)
        await receiver._serve(reader, writer)

    server = await asyncio.start_server(serve, host, 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


def says(status: int, body: bytes = b"", **headers: str) -> Answer:
    """An answer with that status."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} Said", f"content-length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()

    return answer


def sends(data: bytes) -> Answer:
    """Those bytes, and then the end."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return answer


async def hangs(writer: asyncio.StreamWriter) -> None:
    """No answer, ever."""
    await asyncio.Event().wait()


def drips(data: bytes, every: float) -> Answer:
    """One byte after another, with so many seconds between them."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        for byte in data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(every)

    return answer


async def floods(writer: asyncio.StreamWriter) -> None:
    """A body without an end."""
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        await writer.drain()

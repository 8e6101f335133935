"""Requests written byte by byte."""

import asyncio

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
CHUNKED = b"POST /oidc/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


async def answer_to(connection: Streams, request: bytes) -> bytes:
    """Returns the status line."""
    reader, writer = connection
    writer.write(request)
    return await reader.readline()


async def is_cut_off(connection: Streams, begin: bytes, part: bytes) -> bool:
    """Returns whether the server closes the connection before it has read 200 MB."""
    _, writer = connection
    writer.write(begin)
    try:
        for _ in range(200_000_000 // len(part)):
            writer.write(part)
            await writer.drain()
    except ConnectionError:
        return True
    return False

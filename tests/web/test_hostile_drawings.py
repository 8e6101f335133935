"""Drawings of every make: of the sizes that a file names, none larger than a drawing may be is decoded."""

import struct
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as some
from PIL import Image

from adapters.processes.pool import JobLimits, SpawnedProcessPool
from web.signing.drawn_signature import MAX_HEIGHT, MAX_WIDTH, Drawing, read_drawings

LITTLE = 220 * 1024**2
"""Bytes: enough for the largest drawing, too few for a picture of 8000 by 8000 pixels."""

MARK = b"\x89PNG\r\n\x1a\n"
SIDES = some.sampled_from([0, 1, MAX_WIDTH, MAX_WIDTH + 1, 60_000, 2**31 - 1])
SIZES = some.sampled_from([(100, 100), (8_000, 8_000), (MAX_WIDTH, MAX_HEIGHT)]) | some.tuples(SIDES, SIDES)
COLOURS = some.sampled_from([(1, 0), (8, 0), (8, 2), (8, 3), (8, 4), (8, 6), (16, 6), (3, 7)])
"""Depth and colour type."""


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def head(width: int, height: int, colour: tuple[int, int] = (8, 6)) -> bytes:
    return chunk(b"IHDR", struct.pack(">2I5B", width, height, *colour, 0, 0, 0))


def zeros(size: int) -> bytes:
    return chunk(b"IDAT", zlib.compress(bytes(size), 1))


HEADS = some.builds(lambda size, colour: head(*size, colour), SIZES, COLOURS)
FRAMES = some.builds(lambda size: chunk(b"fcTL", struct.pack(">5I2H2B", 0, *size, 0, 0, 1, 1, 0, 0)), SIZES)
OTHERS = some.sampled_from(
    [
        chunk(b"PLTE", bytes(6)),
        chunk(b"tRNS", bytes(2)),
        chunk(b"acTL", struct.pack(">2I", 2, 0)),
        chunk(b"IEND", b""),
        chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(5_000_000))),
        chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(5_000_000))),
        zeros(0),
        zeros(100 * 401),
        zeros(20_000_000),
    ]
)
CHUNKS = some.tuples(HEADS, some.lists(HEADS | FRAMES | OTHERS, max_size=6), some.just([zeros(20_000_000)]))
PNGS = CHUNKS.map(lambda chunks: b"".join([MARK, chunks[0], *chunks[1], *chunks[2]]))


def as_url(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"


def is_a_drawing(drawing: Drawing) -> bool:
    """Whether it is what may be kept: nothing, or a picture within the limits."""
    if drawing.png is None:
        return True
    with Image.open(BytesIO(drawing.png)) as picture:
        return picture.width <= MAX_WIDTH and picture.height <= MAX_HEIGHT


@pytest.fixture
async def quarantine() -> AsyncIterator[SpawnedProcessPool]:
    pool = SpawnedProcessPool(
        1, limits=JobLimits(seconds=120, memory=LITTLE), warm_modules=("web.signing.drawn_signature",)
    )
    yield pool
    await pool.close()


@pytest.mark.parametrize(
    "chunks",
    [
        (head(100, 100), head(8_000, 8_000)),
        (head(8_000, 8_000), head(100, 100)),
        (head(100, 100), chunk(b"PLTE", bytes(6)), head(8_000, 8_000), head(8_000, 8_000)),
        (head(100, 100), head(8_000, 8_000, (1, 0))),
    ],
)
async def test_a_picture_that_names_two_sizes_is_not_unpacked(
    quarantine: SpawnedProcessPool, chunks: tuple[bytes, ...]
) -> None:
    """Within this memory the larger picture could not be unpacked."""
    png = MARK + b"".join(chunks) + zeros(20_000_000) + chunk(b"IEND", b"")
    (drawing,) = await quarantine.run(read_drawings, [as_url(png)])
    assert is_a_drawing(drawing)


async def test_of_any_chunks_nothing_larger_than_a_drawing_is_made(quarantine: SpawnedProcessPool) -> None:
    made: list[str] = []

    @runs(max_examples=300, database=None, deadline=None)
    @given(PNGS)
    def collect(png: bytes) -> None:
        made.append(as_url(png))

    collect()

    assert all(map(is_a_drawing, await quarantine.run(read_drawings, made)))

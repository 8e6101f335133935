import struct
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as some
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from web.signing.sanitize_signature_image import (
    MAX_HEIGHT,
    MAX_WIDTH,
    SignatureImage,
    SignatureImageUnreadable,
    sanitize_signature_image,
    sanitize_signature_images,
)

INK = (20, 33, 61, 255)
MARK = b"\x89PNG\r\n\x1a\n"


def as_url(image: Image.Image, **options: object) -> str:
    return url_of(written(image, **options))


def written(image: Image.Image, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def url_of(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"


def stroke(mode: str = "RGBA", paper: object = (0, 0, 0, 0)) -> Image.Image:
    """A rectangle of ink, 40 wide and 20 high, on paper of 200 by 100."""
    image = Image.new(mode, (200, 100), paper)  # type: ignore[arg-type]  # a colour of that mode
    ImageDraw.Draw(image).rectangle((50, 30, 89, 49), fill=INK[: len(image.getbands())])
    return image


def read(url: str) -> Image.Image:
    png = sanitize_signature_image(url)
    assert png is not None
    with Image.open(BytesIO(png)) as image:
        image.load()
        return image


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def head(width: int, height: int, colour: tuple[int, int] = (8, 6)) -> bytes:
    return chunk(b"IHDR", struct.pack(">2I5B", width, height, *colour, 0, 0, 0))


def zeros(size: int) -> bytes:
    return chunk(b"IDAT", zlib.compress(bytes(size), 1))


def headed(width: int, height: int) -> bytes:
    """A PNG with that size in its header, and nearly no content."""
    return MARK + head(width, height) + zeros(0) + chunk(b"IEND", b"")


def test_a_drawing_is_cropped_to_its_ink() -> None:
    picture = read(as_url(stroke()))
    assert picture.size == (40, 20)
    assert picture.getpixel((0, 0)) == INK


def test_paper_that_was_drawn_on_becomes_see_through() -> None:
    image = stroke("RGB", "white")
    ImageDraw.Draw(image).point((10, 10), fill=INK[:3])

    picture = read(as_url(image))

    assert picture.size == (80, 40)
    opaque = picture.getchannel("A").point(lambda alpha: 255 if alpha > 200 else 0)
    assert opaque.getbbox() == (0, 0, 80, 40)
    assert opaque.crop((1, 1, 40, 20)).getbbox() is None


@pytest.mark.parametrize(
    "image",
    [
        Image.new("RGBA", (200, 100)),
        Image.new("RGB", (200, 100), "white"),
        Image.new("RGBA", (200, 100), "white"),
        Image.new("L", (200, 100), 250),
        Image.new("RGBA", (200, 100), (0, 0, 0, 3)),
    ],
)
def test_a_drawing_without_ink_is_none(image: Image.Image) -> None:
    assert sanitize_signature_image(as_url(image)) is None


def test_nothing_of_the_file_but_the_picture_is_kept() -> None:
    hidden = PngInfo()
    hidden.add_text("Comment", "where I live")

    png = sanitize_signature_image(as_url(stroke(), pnginfo=hidden, dpi=(300, 300), icc_profile=b"profile"))

    assert png is not None
    with Image.open(BytesIO(png)) as picture:
        assert picture.info == {}
    assert b"where I live" not in png


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert sanitize_signature_image(as_url(stroke())) == sanitize_signature_image(as_url(stroke()))


def test_the_largest_drawing_fits_and_one_pixel_more_does_not() -> None:
    image = Image.new("L", (MAX_WIDTH, MAX_HEIGHT), 255)
    image.putpixel((5, 5), 0)

    assert read(as_url(image)).size == (1, 1)
    for size in ((MAX_WIDTH + 1, 10), (10, MAX_HEIGHT + 1)):
        with pytest.raises(SignatureImageUnreadable):
            sanitize_signature_image(as_url(Image.new("L", size, 0)))


def test_a_file_that_announces_a_huge_picture_is_never_unpacked() -> None:
    with pytest.raises(SignatureImageUnreadable):
        sanitize_signature_image(url_of(headed(50_000, 50_000)))


PNG = written(stroke())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "data:text/html;base64,PHA+",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,",
        "data:image/png;base64,!!!!",
        url_of(b"no picture at all, but long enough to have a head"),
        url_of(PNG[:40]),
        url_of(PNG[: len(PNG) // 2]),
        url_of(PNG[:60] + bytes([PNG[60] ^ 255]) + PNG[61:]),
        url_of(headed(10, 10)),
        url_of(headed(0, 0)),
    ],
)
def test_an_incomplete_png_is_refused(url: str) -> None:
    with pytest.raises(SignatureImageUnreadable):
        sanitize_signature_image(url)


def test_another_format_under_the_name_of_png_is_refused() -> None:
    file = BytesIO()
    stroke("RGB", "white").save(file, "GIF")
    with pytest.raises(SignatureImageUnreadable):
        sanitize_signature_image(url_of(file.getvalue()))


# Hostile drawings: none larger than a drawing may be is decoded, whatever sizes a file names.

LITTLE = 220 * 1024**2
"""Bytes: enough for the largest drawing, too few for a picture of 8000 by 8000 pixels."""

SIDES = some.sampled_from([0, 1, MAX_WIDTH, MAX_WIDTH + 1, 60_000, 2**31 - 1])
SIZES = some.sampled_from([(100, 100), (8_000, 8_000), (MAX_WIDTH, MAX_HEIGHT)]) | some.tuples(SIDES, SIDES)
COLOURS = some.sampled_from([(1, 0), (8, 0), (8, 2), (8, 3), (8, 4), (8, 6), (16, 6), (3, 7)])
"""Depth and colour type."""


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


def is_a_drawing(drawing: SignatureImage) -> bool:
    """Whether it is what may be kept: nothing, or a picture within the limits."""
    if drawing.png is None:
        return True
    with Image.open(BytesIO(drawing.png)) as picture:
        return picture.width <= MAX_WIDTH and picture.height <= MAX_HEIGHT


@pytest.fixture
async def quarantine() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(
        1, limits=JobLimits(seconds=120, memory=LITTLE), warm_modules=("web.signing.sanitize_signature_image",)
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
    quarantine: ForkServerPool, chunks: tuple[bytes, ...]
) -> None:
    """Within this memory the larger picture could not be unpacked."""
    png = MARK + b"".join(chunks) + zeros(20_000_000) + chunk(b"IEND", b"")
    (drawing,) = await quarantine.run(sanitize_signature_images, [url_of(png)])
    assert is_a_drawing(drawing)


async def test_of_any_chunks_nothing_larger_than_a_drawing_is_made(quarantine: ForkServerPool) -> None:
    made: list[str] = []

    @runs(max_examples=300, database=None, deadline=None)
    @given(PNGS)
    def collect(png: bytes) -> None:
        made.append(url_of(png))

    collect()

    assert all(map(is_a_drawing, await quarantine.run(sanitize_signature_images, made)))

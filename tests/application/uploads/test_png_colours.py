"""PNGs look as in browsers: transparent shades of every depth, gamma and primaries, and no orientation."""

import struct
import zlib
from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image

from application.uploads.png_colours import profile_of
from application.uploads.sanitize_image import sanitize

GREY, COLOUR = 0, 2


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(
    row: bytes, *, width: int, bits: int = 8, kind: int = GREY, chunks: Sequence[tuple[bytes, bytes]] = ()
) -> bytes:
    """Returns a PNG of one row."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, 1, bits, kind, 0, 0, 0))
    facts = b"".join(chunk(*one) for one in chunks)
    return b"\x89PNG\r\n\x1a\n" + head + facts + chunk(b"IDAT", zlib.compress(b"\0" + row)) + chunk(b"IEND", b"")


def shown(upload: bytes) -> list[tuple[int, ...]]:
    """Returns the pixels of the first row as red, green, blue and alpha."""
    with Image.open(BytesIO(sanitize(upload).content)) as opened:
        picture = opened.convert("RGBA")
        return [picture.getpixel((x, 0)) for x in range(picture.width)]  # type: ignore[misc]  # four bands


@pytest.mark.parametrize(
    ("bits", "row", "shade", "clear"),
    [
        (1, b"\x40", 1, 1),
        (2, b"\x1b", 1, 1),
        (4, b"\x05\xaf", 5, 1),
        (8, bytes([0, 64, 128, 255]), 64, 1),
        (16, struct.pack(">4H", 0, 16384, 32768, 49152), 16384, 1),
    ],
)
def test_the_transparent_shade_of_every_depth_is_transparent_and_others_keep_theirs(
    bits: int, row: bytes, shade: int, clear: int
) -> None:
    width = len(row) * 8 // bits if bits > 1 else 2
    pixels = shown(png(row, width=width, bits=bits, chunks=[(b"tRNS", struct.pack(">H", shade))]))

    assert [at for at, pixel in enumerate(pixels) if pixel[3] == 0] == [clear]
    assert len({pixel[0] for pixel in pixels}) == width


@pytest.mark.parametrize(("bits", "part"), [(8, "B"), (16, "H")])
def test_the_transparent_colour_is_transparent(bits: int, part: str) -> None:
    most = 2**bits - 1
    row = struct.pack(f">9{part}", most, 0, 0, 0, most // 3, most, most, most, most)
    clear = struct.pack(">3H", 0, most // 3, most)
    pixels = shown(png(row, width=3, bits=bits, kind=COLOUR, chunks=[(b"tRNS", clear)]))

    assert [pixel[3] for pixel in pixels] == [255, 0, 255]


def test_a_gamma_is_applied_as_in_browsers() -> None:
    linear = shown(png(bytes([0, 64, 128, 255]), width=4, chunks=[(b"gAMA", struct.pack(">I", 100_000))]))

    expected = [0, 137, 188, 255]  # the curve of sRGB
    assert all(abs(pixel[0] - level) <= 1 for pixel, level in zip(linear, expected, strict=True))
    (old,) = shown(png(bytes([190, 189, 172]), width=1, kind=COLOUR, chunks=[(b"gAMA", struct.pack(">I", 55_000))]))
    assert old[0] > 195


def test_the_usual_gamma_and_an_srgb_chunk_change_nothing() -> None:
    usual = [(b"gAMA", struct.pack(">I", 45_455))]
    stated = [(b"sRGB", b"\0"), (b"gAMA", struct.pack(">I", 100_000))]

    assert [pixel[0] for pixel in shown(png(bytes([0, 64]), width=2, chunks=usual))] == [0, 64]
    assert [pixel[0] for pixel in shown(png(bytes([0, 64]), width=2, chunks=stated))] == [0, 64]


def test_primaries_are_applied() -> None:
    wide = struct.pack(">8I", 31_270, 32_900, 73_500, 26_500, 11_500, 82_600, 15_700, 1_800)
    chunks = [(b"gAMA", struct.pack(">I", 45_455)), (b"cHRM", wide)]
    (pixel,) = shown(png(bytes([60, 200, 60]), width=1, kind=COLOUR, chunks=chunks))

    assert pixel[1] > 200
    assert pixel[0] < 60


@pytest.mark.parametrize("primaries", [(0.0,) * 8, (1e9,) * 8, "odd", (0.3,) * 7])
def test_impossible_primaries_are_ignored(primaries: object) -> None:
    assert profile_of({"gamma": 1.0, "chromaticity": primaries}) is None


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_only_jpegs_are_turned_by_their_orientation(kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    out, turned = BytesIO(), BytesIO()
    Image.new("RGB", (20, 10)).save(out, kind, exif=exif)
    Image.new("RGB", (20, 10)).save(turned, "JPEG", exif=exif)

    assert (sanitize(out.getvalue()).width, sanitize(turned.getvalue()).width) == (20, 10)

"""Images made to do harm: clear errors within the limits of time and memory (Specification 2.10, 4.14)."""

import os
import zlib
from collections.abc import AsyncIterator, Callable
from io import BytesIO

import pytest
from PIL import Image

from adapters.processes.job_limits import UNTRUSTED_FILES, JobLimits
from adapters.processes.pool import ForkServerPool
from application.uploads.sanitize_image import MAX_PIXELS, ImageUnreadable, sanitize
from domain.ports.process_pool import ProcessDied
from domain.shared.limits import MAX_IMAGE
from tests.application.uploads import hostile_images as images
from tests.layout.pictures import encoded, shades

TOO_MANY = "40 million are taken. Make it smaller."
DAMAGED = "damaged or cut off"
UNKNOWN = "no PNG, JPEG, WebP or GIF"


LITTLE = 150 * 1024**2
"""Bytes. What is refused has to be refused within these, or its process would end."""


@pytest.fixture(scope="module")
async def quarantine() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(
        1, limits=JobLimits(seconds=30, memory=LITTLE), warm_modules=("application.uploads.sanitize_image",)
    )
    yield pool
    await pool.close()


CASES: dict[str, tuple[Callable[[], bytes], str]] = {
    "a PNG of 50,000 x 50,000 pixels": (lambda: images.png_of_zeros(50_000, 50_000, rows=3_000), TOO_MANY),
    "a GIF of 65,535 x 65,535 pixels": (lambda: images.gif_of(65_535, 65_535), TOO_MANY),
    "an extended WebP of 100,000 x 40,000 pixels": (lambda: images.webp_of(b"VP8X", 100_000, 40_000), TOO_MANY),
    "a lossless WebP of 16,000 x 16,000 pixels": (lambda: images.webp_of(b"VP8L", 16_000, 16_000), TOO_MANY),
    "a lossy WebP of 16,000 x 16,000 pixels": (lambda: images.webp_of(b"VP8 ", 16_000, 16_000), TOO_MANY),
    "a WebP that is nothing but its head": (lambda: images.webp_of(b"VP8X", 100, 100), DAMAGED),
    "a truncated JPEG": (lambda: encoded(shades(300, 200), "JPEG")[:900], DAMAGED),
    "a PNG with a wrong checksum": (images.png_with_wrong_crc, DAMAGED),
    "a PNG with a text that inflates to 100 MB": (
        lambda: images.png_with(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(100_000_000))),
        DAMAGED,
    ),
    "an SVG": (lambda: images.SVG, UNKNOWN),
    "a PDF": (lambda: b"%PDF-1.7\n" + bytes(2000), UNKNOWN),
    "a program": (lambda: b"MZ" + bytes(2000), UNKNOWN),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_hostile_image_is_refused_within_little_memory(quarantine: ForkServerPool, name: str) -> None:
    make, message = CASES[name]
    content = make()
    assert len(content) <= MAX_IMAGE
    with pytest.raises(ImageUnreadable, match=message):
        await quarantine.run(sanitize, content)


async def test_a_picture_that_keeps_its_decoder_busy_is_given_up() -> None:
    busy = images.png_of_zeros(8000, 5000)
    pool = ForkServerPool(1, limits=JobLimits(seconds=0.02, memory=UNTRUSTED_FILES.memory))
    with pytest.raises(ProcessDied):
        await pool.run(sanitize, busy)
    await pool.close()


async def test_a_picture_of_many_scans_is_refused_before_it_is_decoded(quarantine: ForkServerPool) -> None:
    scans = images.jpeg_of_scans(20_000)
    assert len(scans) <= MAX_IMAGE
    with pytest.raises(ImageUnreadable, match="too many scans"):
        await quarantine.run(sanitize, scans)
    assert (await quarantine.run(sanitize, encoded(shades(8, 8)))).width == 8


async def test_the_maximum_of_pixels_is_accepted_and_one_row_more_is_not(quarantine: ForkServerPool) -> None:
    sanitized = sanitize(images.png_of_zeros(8000, 5000))
    assert sanitized.width * sanitized.height == MAX_PIXELS
    with pytest.raises(ImageUnreadable, match="8000 x 5001 pixels; 40 million are taken"):
        await quarantine.run(sanitize, images.png_of_zeros(8000, 5001))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_of_a_polyglot_file_only_the_image_remains(kind: str) -> None:
    other = b"PK\x03\x04<script>alert(1)</script>%PDF-1.7"
    sanitized = sanitize(encoded(shades(20, 10), kind) + other)
    assert b"<script>" not in sanitized.content
    assert b"%PDF" not in sanitized.content


def test_a_transparent_image_that_is_too_large_as_png_is_refused() -> None:
    noise = Image.frombytes("RGBA", (2100, 2100), os.urandom(4 * 2100 * 2100))
    with pytest.raises(ImageUnreadable, match="more than 16 MB as PNG or JPEG"):
        sanitize(encoded(noise, "PNG", compress_level=0))


def test_a_large_jpeg_has_fewer_scans() -> None:
    assert sanitize(images.jpeg_of_scans(5)).width == 6000
    with pytest.raises(ImageUnreadable, match="too many scans"):
        sanitize(images.jpeg_of_scans(20))


def test_a_jpeg_of_very_many_scans_is_refused() -> None:
    out = BytesIO()
    Image.new("RGB", (64, 64), "red").save(out, "JPEG", progressive=True)
    content = out.getvalue()
    start = content.index(b"\xff\xda")
    scan = content[start : content.index(b"\xff\xda", start + 2)]
    with pytest.raises(ImageUnreadable, match="too many scans"):
        sanitize(content[:start] + scan * 200 + content[start:])

"""Sanitises a drawn signature: from the browser's data URL to a PNG of the ink alone.

The upload is decoded within limits and re-encoded, so no metadata or hidden content remains.
Runs in a child process.
"""

import warnings
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageChops

from application.uploads.sanitize_image import DECODING_ERRORS

MAX_WIDTH = 2400
MAX_HEIGHT = 1200
"""Pixels: a wide screen at three pixels to the point."""

_PREFIX = "data:image/png;base64,"
_FAINTEST_INK = 24  # of 255: lighter pixels are background


class DrawingUnreadable(Exception):
    """Not a PNG within the limits: another format, damaged, truncated or too large."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sanitised drawing. `png` is None without ink, and for an unreadable drawing."""

    png: bytes | None
    is_readable: bool = True


def read_drawings(data_urls: Sequence[str]) -> tuple[Drawing, ...]:
    """Returns the drawing of each of `data_urls`; an empty one has no ink."""
    return tuple(map(_drawing, data_urls))


def _drawing(data_url: str) -> Drawing:
    try:
        return Drawing(read_drawing(data_url) if data_url else None)
    except DrawingUnreadable:
        return Drawing(None, is_readable=False)


def read_drawing(data_url: str) -> bytes | None:
    """Returns the drawing as PNG with a transparent background, cropped to its ink; None without ink.

    Raises:
        DrawingUnreadable: the data is no PNG within the limits.
    """
    if not data_url.startswith(_PREFIX):
        raise DrawingUnreadable
    try:
        return _ink_of(_decode(b64decode(data_url[len(_PREFIX) :], validate=True)))
    except (*DECODING_ERRORS, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise DrawingUnreadable from error


def _decode(png: bytes) -> Image.Image:
    """Returns the image. Its size is checked before and after decoding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(BytesIO(png), formats=["PNG"]) as image:
            _check_size(image.size)
            decoded = image.convert("RGBA")
    _check_size(decoded.size)
    return decoded


def _check_size(size: tuple[int, int]) -> None:
    width, height = size
    if width > MAX_WIDTH or height > MAX_HEIGHT:
        raise DrawingUnreadable


def _ink_of(image: Image.Image) -> bytes | None:
    paper = Image.new("RGBA", image.size, "white")
    darkness = ImageChops.invert(Image.alpha_composite(paper, image).convert("L"))
    box = darkness.point(lambda shade: 255 if shade >= _FAINTEST_INK else 0).getbbox()
    if box is None:
        return None
    clean = Image.new("RGBA", image.size)
    clean.paste(image)
    if image.getchannel("A").getextrema() == (255, 255):  # opaque background: light pixels become transparent
        clean.putalpha(darkness)
    written = BytesIO()
    clean.crop(box).save(written, "PNG", optimize=True)
    return written.getvalue()

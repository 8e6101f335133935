"""Sanitises the image of a signature or of initials, drawn or uploaded, in a child process.

The browser sends it as a data URL. The image is decoded within limits and encoded again as a PNG of the ink alone, so
no metadata or hidden content remains.
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
"""In pixels: the canvas of a wide screen with three device pixels to a CSS pixel."""

_PREFIX = "data:image/png;base64,"
_FAINTEST_INK = 24  # of 255: lighter pixels are background


class SignatureImageUnreadable(Exception):
    """The image is not a PNG within the limits: it has another format, is damaged, truncated or too large."""


@dataclass(frozen=True, slots=True)
class SignatureImage:
    """A sanitised image of a signature or of initials. `png` is None if it has no ink, or is not readable."""

    png: bytes | None
    is_readable: bool = True


def sanitize_signature_images(data_urls: Sequence[str]) -> tuple[SignatureImage, ...]:
    """Returns the image of each of `data_urls`. An empty text stands for an image without ink."""
    return tuple(map(_sanitized, data_urls))


def _sanitized(data_url: str) -> SignatureImage:
    try:
        return SignatureImage(sanitize_signature_image(data_url) if data_url else None)
    except SignatureImageUnreadable:
        return SignatureImage(None, is_readable=False)


def sanitize_signature_image(data_url: str) -> bytes | None:
    """Returns the image as a transparent PNG, cropped to its ink; None without ink.

    Raises `SignatureImageUnreadable`.
    """
    if not data_url.startswith(_PREFIX):
        raise SignatureImageUnreadable
    try:
        return _ink_of(_decode(b64decode(data_url[len(_PREFIX) :], validate=True)))
    except (*DECODING_ERRORS, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise SignatureImageUnreadable from error


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
        raise SignatureImageUnreadable


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

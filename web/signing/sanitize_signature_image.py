"""Sanitises the image of a signature or of initials, drawn or uploaded, in a child process.

The browser sends a drawing as strokes, which are drawn here, and a picture of a signature as the file itself, of which
the ink is returned. A program may send a PNG as a data URL. Images are decoded within limits and encoded again as a PNG
of the ink alone, so no metadata or hidden content remains.
"""

import warnings
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageChops, ImageFilter, ImageMath

from application.uploads.sanitize_image import DECODING_ERRORS, ImageUnreadable, decode
from web.signing.draw_strokes import draw_strokes

MAX_WIDTH = 2400
MAX_HEIGHT = 1200
"""Maximum size of a PNG in pixels: a canvas of a wide screen with three device pixels to a CSS pixel."""

_PREFIX = "data:image/png;base64,"
_STROKES = "{"  # a JSON object
_FAINTEST_INK = 24  # of 255: lighter pixels are background
_MIN_OPACITY = 64  # of 255, of the ink at the edges of a picture
_MAX_INK = (1200, 600)  # pixels of the ink of a picture
_SHADOW = 16  # pixels of the side of an area that has one brightness of paper


class SignatureImageUnreadable(Exception):
    """This is neither strokes nor a PNG within the limits: it has another format, is damaged, or is too large."""


@dataclass(frozen=True, slots=True)
class SignatureImage:
    """A sanitised image of a signature or of initials. `png` is None if it has no ink, or is not readable."""

    png: bytes | None
    is_readable: bool = True


def sanitize_signature_images(drawings: Sequence[str]) -> tuple[SignatureImage, ...]:
    """Returns the image of each of `drawings`. An empty text stands for an image without ink."""
    return tuple(map(_sanitized, drawings))


def _sanitized(drawing: str) -> SignatureImage:
    try:
        return SignatureImage(sanitize_signature_image(drawing) if drawing else None)
    except SignatureImageUnreadable:
        return SignatureImage(None, is_readable=False)


def sanitize_signature_image(drawing: str) -> bytes | None:
    """Returns strokes, or the data URL of a PNG, as a transparent PNG, cropped to its ink; None without ink.

    Raises `SignatureImageUnreadable`.
    """
    if drawing.startswith(_STROKES):
        try:
            return draw_strokes(drawing)
        except ValueError as error:
            raise SignatureImageUnreadable from error
    if not drawing.startswith(_PREFIX):
        raise SignatureImageUnreadable
    try:
        return _ink_of(_decode(b64decode(drawing[len(_PREFIX) :], validate=True)))
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


def read_ink(upload: bytes) -> bytes | None:
    """Returns the ink of a picture of a signature on paper, as a transparent PNG, cropped.

    None if the file is not a picture, or has no ink. Shadows on the paper are evened out first.
    """
    try:
        picture = decode(upload)
    except ImageUnreadable:
        return None
    picture.thumbnail(_MAX_INK, reducing_gap=2)
    paper = Image.new("RGBA", picture.size, "white")
    colours = Image.alpha_composite(paper, picture.convert("RGBA"))
    shades = _evenly_lit(colours.convert("L"))
    light, dark = _percentile(shades, 0.9), _percentile(shades, 0.005)
    contrast = light - dark
    if contrast < _FAINTEST_INK:
        return None
    lightest, span = light - 0.3 * contrast, 0.45 * contrast
    opacity = shades.point([max(0, min(round(255 * (lightest - shade) / span), 255)) for shade in range(256)])
    clear = opacity.filter(ImageFilter.MedianFilter(3))  # without specks
    box = clear.point(lambda alpha: 255 if alpha >= _MIN_OPACITY else 0).getbbox()
    if box is None:
        return None
    colours.putalpha(opacity)
    written = BytesIO()
    colours.crop(box).save(written, "PNG")
    return written.getvalue()


def _evenly_lit(shades: Image.Image) -> Image.Image:
    """Returns the shades as shares, of 255, of the brightest shade of their surroundings."""
    small = shades.resize([max(1, side // _SHADOW) for side in shades.size], Image.Resampling.BOX)
    bright = small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.GaussianBlur(2)).resize(shades.size)
    even: Image.Image = ImageMath.lambda_eval(
        lambda of: of["convert"](of["min"](of["shades"] * 255 / of["max"](of["bright"], 1), 255), "L"),
        shades=shades.convert("I"),
        bright=bright.convert("I"),
    )
    return even


def _percentile(shades: Image.Image, share: float) -> int:
    """Returns the shade that `share` of the pixels do not exceed."""
    left = share * shades.width * shades.height
    for shade, count in enumerate(shades.histogram()):
        left -= count
        if left <= 0:
            return shade
    return 255

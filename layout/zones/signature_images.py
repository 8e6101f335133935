"""Images of signatures: cropped to their ink, placed in their zone and reduced to print resolution."""

import math
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageStat

from layout.blocks.alignment import Align
from layout.geometry import Rect

DOTS_TO_THE_INCH = 300
"""Maximum resolution of a placed image."""

_INSET = 4.0
_SHARE = 0.94  # of the zone's height, which leaves space above the ink
_POINTS_TO_THE_INCH = 72
_SOLID = 128  # of 255: pixels with less opacity are edges of strokes
_ALIKE = 6  # of 255: an invisible difference of colours


@dataclass(frozen=True, slots=True)
class DecodedImage:
    """A decoded image. Shape: `colours` has three bytes a pixel, `opacity` one, both by rows from the top."""

    width: int
    height: int
    colours: bytes
    opacity: bytes


class PlacedImage(NamedTuple):
    image: DecodedImage
    rect: Rect


def place_signature_image(
    png: bytes, zone: Rect, *, align: Align = "start", max_scale: float = math.inf
) -> PlacedImage | None:
    """Places an image, cropped to its ink, in `zone`; None if nothing is visible. Raises `UnidentifiedImageError`."""
    with Image.open(BytesIO(png)) as opened:
        image: Image.Image = opened if opened.mode == "RGBA" else opened.convert("RGBA")
        ink = image.getchannel("A").getbbox()
        if ink is None:
            return None
        left, top, right, bottom = ink
        rect = fit_rectangle(right - left, bottom - top, zone, align=align, max_scale=max_scale)
        width, height = min(right - left, _pixels(rect.w)), min(bottom - top, _pixels(rect.h))
        trimmed = image.resize((width, height), Image.Resampling.HAMMING, box=ink, reducing_gap=3)
    return PlacedImage(
        DecodedImage(width, height, _colours(trimmed).tobytes(), trimmed.getchannel("A").tobytes()), rect
    )


def _colours(image: Image.Image) -> Image.Image:
    """Returns the colours of the ink. Ink of one colour becomes exactly uniform, which compresses best."""
    colours = image.convert("RGB")
    solid = image.getchannel("A").point(lambda opacity: 255 if opacity >= _SOLID else 0)
    if not solid.getbbox():
        return colours
    ranges = ImageStat.Stat(colours, solid).extrema
    if any(most - least > _ALIKE for least, most in ranges):
        return colours
    red, green, blue = (round((least + most) / 2) for least, most in ranges)
    return Image.new("RGB", image.size, (red, green, blue))


def fit_rectangle(
    width: float, height: float, zone: Rect, *, align: Align = "start", max_scale: float = math.inf
) -> Rect:
    """Fits a rectangle of these proportions into `zone`: as large as possible, on the signature line.

    It stands at the left or at the right; with "center" in the middle of the zone, within its padding. The scale is at
    most `max_scale` points a pixel.
    """
    room = zone.h - 2 * _INSET if align == "center" else zone.h * _SHARE
    scale = min((zone.w - 2 * _INSET) / width, room / height, max_scale)
    width, height = width * scale, height * scale
    if align == "center":
        return Rect(zone.x + (zone.w - width) / 2, zone.y + (zone.h - height) / 2, width, height)
    x = zone.right - _INSET - width if align == "right" else zone.x + _INSET
    return Rect(x, zone.bottom - height, width, height)


def _pixels(points: float) -> int:
    """Returns the number of pixels along a length in points, at the maximum resolution."""
    return max(1, math.ceil(points / _POINTS_TO_THE_INCH * DOTS_TO_THE_INCH))

"""Pictures of signatures: trimmed to their ink and placed on the signature line, with as many pixels as can be seen."""

import math
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageStat

from layout.paging.geometry import Rect

DOTS_TO_THE_INCH = 300
"""As sharp as print. What has more pixels than that at its place gets fewer."""

_INSET = 4.0
_SHARE = 0.94  # of the zone's height: a stroke at the top keeps off what stands above
_POINTS_TO_THE_INCH = 72
_SOLID = 128  # of 255: less opacity than that is the edge of a stroke
_ALIKE = 6  # of 255: nobody tells such colours apart


@dataclass(frozen=True, slots=True)
class DecodedImage:
    """A decoded picture. Shape: `colours` has three bytes a pixel, `opacity` one, both row by row from the top."""

    width: int
    height: int
    colours: bytes
    opacity: bytes


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """A picture and where it stands."""

    image: DecodedImage
    rect: Rect


def place_signature_image(
    png: bytes, zone: Rect, *, is_centred: bool = False, max_scale: float = math.inf
) -> PlacedImage | None:
    """The picture without its transparent edges, placed in `zone`; None if nothing of it can be seen.

    Of all its pixels at once there is one copy, however many are drawn on a page.

    Raises:
        PIL.UnidentifiedImageError: `png` is no picture.
    """
    with Image.open(BytesIO(png)) as opened:
        image: Image.Image = opened if opened.mode == "RGBA" else opened.convert("RGBA")
        ink = image.getchannel("A").getbbox()
        if ink is None:
            return None
        left, top, right, bottom = ink
        rect = fit_rectangle(right - left, bottom - top, zone, is_centred=is_centred, max_scale=max_scale)
        width, height = min(right - left, _pixels(rect.w)), min(bottom - top, _pixels(rect.h))
        trimmed = image.resize((width, height), Image.Resampling.HAMMING, box=ink, reducing_gap=3)
    return PlacedImage(
        DecodedImage(width, height, _colours(trimmed).tobytes(), trimmed.getchannel("A").tobytes()), rect
    )


def _colours(image: Image.Image) -> Image.Image:
    """The colours of the ink. Where it is all of one, what is half seen through has that too: it takes no room then."""
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
    width: float, height: float, zone: Rect, *, is_centred: bool = False, max_scale: float = math.inf
) -> Rect:
    """Where a picture of these proportions stands in `zone`: as large as fits, at the left on the line.

    Centred it stands in the middle of a box, off its edges. It never has more than `max_scale` points a pixel.
    """
    room = zone.h - 2 * _INSET if is_centred else zone.h * _SHARE
    scale = min((zone.w - 2 * _INSET) / width, room / height, max_scale)
    width, height = width * scale, height * scale
    if is_centred:
        return Rect(zone.x + (zone.w - width) / 2, zone.y + (zone.h - height) / 2, width, height)
    return Rect(zone.x + _INSET, zone.bottom - height, width, height)


def _pixels(points: float) -> int:
    """As many as can be seen along so many points."""
    return max(1, math.ceil(points / _POINTS_TO_THE_INCH * DOTS_TO_THE_INCH))

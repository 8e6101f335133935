"""Pictures of signatures: decoded, trimmed to their ink, and placed on the signature line."""

from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from layout.geometry import Rect

_INSET = 4.0
_SHARE = 0.94  # of the zone's height: a stroke at the top keeps off what stands above


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture. Shape: `colours` has three bytes a pixel, `opacity` one, both row by row from the top."""

    width: int
    height: int
    colours: bytes
    opacity: bytes


def decode(png: bytes) -> Picture | None:
    """The picture without its transparent edges; None if nothing of it can be seen.

    Raises:
        PIL.UnidentifiedImageError: `png` is no picture.
    """
    with Image.open(BytesIO(png)) as opened:
        picture = opened.convert("RGBA")
    ink = picture.getchannel("A").getbbox()
    if ink is None:
        return None
    trimmed = picture.crop(ink)
    return Picture(trimmed.width, trimmed.height, trimmed.convert("RGB").tobytes(), trimmed.getchannel("A").tobytes())


def place(picture: Picture, zone: Rect, *, is_centred: bool = False) -> Rect:
    """Where the picture stands in `zone`: as large as fits, in its own proportions, at the left on the line.

    Centred it stands in the middle of a box, off its edges.
    """
    room = zone.h - 2 * _INSET if is_centred else zone.h * _SHARE
    scale = min((zone.w - 2 * _INSET) / picture.width, room / picture.height)
    width, height = picture.width * scale, picture.height * scale
    if is_centred:
        return Rect(zone.x + (zone.w - width) / 2, zone.y + (zone.h - height) / 2, width, height)
    return Rect(zone.x + _INSET, zone.bottom - height, width, height)

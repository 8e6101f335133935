"""Rendering of typed signatures as images, in a handwriting font. Deterministic. For child processes only.

Dancing Script has Latin letters, Caveat Latin and Cyrillic ones; both are under the SIL Open Font License. The plain
style, and text in other scripts, use the fonts of the engine, in italics where they have them, and PyMuPDF.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from io import BytesIO
from pathlib import Path

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types
from PIL import Image, ImageDraw, ImageFont

from layout.schema.block_document import BlockDocument
from layout.schema.theme import PEN_COLOUR
from layout.text.characters import prepare_line
from layout.zones.zone import Zone, ZoneType

SIZE = 160
"""Font size in pixels: sharp in print at 30 points."""

MAX_POINTS_PER_PIXEL = 30 / SIZE
"""Maximum scale of the image in a zone; a long name is drawn smaller."""

_FOLDER = Path(__file__).parent
_FLOWING, _CASUAL = "DancingScript-Regular.ttf", "Caveat-Regular.ttf"
_EDGE = SIZE // 2  # swashes exceed the metrics of the font
_INK = bytes(round(255 * part) for part in PEN_COLOUR)
_OPACITIES = bytes(range(256))
_BLANK = BlockDocument.model_validate(
    {"format": "blocks", "title": "-", "blocks": [{"type": "pageBreak", "header": None}]}
)
_ZONE = Zone(
    name="signature", type=ZoneType.SIGNATURE, label="", recipient="", page=1, x=20, y=200, w=555, h=60,
    required=True, path="",
)  # fmt: skip


class HandStyle(StrEnum):
    """The handwriting of a typed signature."""

    FLOWING = "flowing"
    CASUAL = "casual"
    PLAIN = "plain"


_FONTS: Mapping[HandStyle, tuple[str, ...]] = {
    HandStyle.FLOWING: (_FLOWING, _CASUAL),
    HandStyle.CASUAL: (_CASUAL, _FLOWING),
    HandStyle.PLAIN: (),
}
"""The fonts of a style: the first that has all characters is used."""


def render_typed_signature(text: str, style: HandStyle = HandStyle.FLOWING) -> bytes | None:
    """Renders `text` on one line as PNG, transparent and cropped to the ink; None if nothing is visible.

    The palette has the pen's colour in each opacity, so a pixel is one byte.
    """
    line = prepare_line(text).strip()
    font = next((font for font in _FONTS[style] if _characters(font).issuperset(line)), None)
    opacity = _drawn(line, font) if font is not None else _set(line)
    box = opacity.getbbox()
    if box is None:
        return None
    opacity = opacity.crop(box)
    picture = Image.frombytes("P", opacity.size, opacity.tobytes())
    picture.putpalette(_INK * 256)
    encoded = BytesIO()
    picture.save(encoded, "PNG", transparency=_OPACITIES)
    return encoded.getvalue()


@cache
def _characters(font: str) -> frozenset[str]:
    return frozenset(map(chr, hb.Face(hb.Blob.from_file_path(str(_FOLDER / font))).unicodes))


def _drawn(line: str, name: str) -> Image.Image:
    font = ImageFont.truetype(_FOLDER / name, SIZE)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(line))
    opacity = Image.new("L", (right - left + 2 * _EDGE, bottom - top + 2 * _EDGE))
    ImageDraw.Draw(opacity).text((_EDGE - left, _EDGE - top), line, fill=255, font=font)
    return opacity


def _set(line: str) -> Image.Image:
    from layout.engine import ZoneValue, render, stamp  # noqa: PLC0415  # only these scripts need the engine
    from layout.pdf.render_pages import page_clip  # noqa: PLC0415  # and PyMuPDF

    pdf = render(_BLANK, ()).pdf
    if pdf is None:
        raise AssertionError("the blank page cannot be laid out")
    clip = (_ZONE.x, _ZONE.y - 20, _ZONE.x + _ZONE.w, _ZONE.y + _ZONE.h + 20)
    with Image.open(BytesIO(page_clip(stamp(pdf, [ZoneValue(_ZONE, text=line)]), _ZONE.page, clip))) as picture:
        return picture.getchannel("A")

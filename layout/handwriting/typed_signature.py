"""Rendering of typed signatures as images, in a handwriting font. Deterministic. For child processes only.

Dancing Script has Latin letters, Caveat Latin and Cyrillic ones, Aref Ruqaa Arabic ones (Ruq'ah), Zhi Mang Xing
simplified Chinese characters (running script); all are under the SIL Open Font License. The plain style, and text in
other scripts, are laid out with the fonts of the engine (in italics, where it has them) and rasterised by PyMuPDF.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from io import BytesIO
from pathlib import Path

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types
from PIL import Image, ImageDraw, ImageFont

from layout.schema.block_document import BlockDocument
from layout.text.characters import prepare_line
from layout.theme_styles import PEN_COLOUR
from layout.zone import Zone, ZoneType

SIZE = 160
"""Font size in pixels: sharp in print at 30 points."""

MAX_POINTS_PER_PIXEL = 30 / SIZE
"""Maximum scale of the image in a zone; a long name is drawn smaller."""

_FOLDER = Path(__file__).parent
_FLOWING, _CASUAL = "DancingScript-Regular.ttf", "Caveat-Regular.ttf"
_ARABIC, _CHINESE = "ArefRuqaa-Regular.ttf", "ZhiMangXing-Regular.ttf"
_SUBPIXELS = 64  # HarfBuzz places glyphs in whole units
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
    HandStyle.FLOWING: (_FLOWING, _CASUAL, _ARABIC, _CHINESE),
    HandStyle.CASUAL: (_CASUAL, _FLOWING, _ARABIC, _CHINESE),
    HandStyle.PLAIN: (),
}
"""The fonts of a style: the first that has all characters is used."""


def render_typed_signature(text: str, style: HandStyle = HandStyle.FLOWING) -> bytes | None:
    """Renders `text` on one line as PNG, transparent and cropped to the ink; None if nothing is visible.

    The palette holds the pen colour in each opacity, so a pixel takes one byte.
    """
    line = prepare_line(text).strip()
    font = next((font for font in _FONTS[style] if _characters(font).issuperset(line)), None)
    opacity = _set(line) if font is None else _shaped(line, font) if font == _ARABIC else _drawn(line, font)
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
def _face(font: str) -> hb.Face:
    return hb.Face(hb.Blob.from_file_path(str(_FOLDER / font)))


@cache
def _characters(font: str) -> frozenset[str]:
    """Returns the characters of a font, of the Arabic one without digits: only the engine mixes directions."""
    found = frozenset(map(chr, _face(font).unicodes))
    return frozenset(character for character in found if not character.isdigit()) if font == _ARABIC else found


def _drawn(line: str, name: str) -> Image.Image:
    font = ImageFont.truetype(_FOLDER / name, SIZE)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(line))
    opacity = Image.new("L", (right - left + 2 * _EDGE, bottom - top + 2 * _EDGE))
    ImageDraw.Draw(opacity).text((_EDGE - left, _EDGE - top), line, fill=255, font=font)
    return opacity


def _shaped(line: str, name: str) -> Image.Image:
    """Draws a line of joined letters from right to left."""
    font, text, canvas = hb.Font(_face(name)), hb.Buffer(), hb.RasterDraw()
    font.scale = (SIZE * _SUBPIXELS,) * 2
    text.add_str(line)
    text.guess_segment_properties()
    hb.shape(font, text)
    canvas.scale_factor = (float(_SUBPIXELS),) * 2
    x = 0
    for glyph, place in zip(text.glyph_infos, text.glyph_positions, strict=True):
        canvas.transform = (1.0, 0.0, 0.0, 1.0, float(x + place.x_offset), float(place.y_offset))
        canvas.draw_glyph(font, glyph.codepoint)
        x += place.x_advance
    drawn = canvas.render()
    size, stride = (drawn.extents.width, drawn.extents.height), drawn.extents.stride
    return Image.frombytes("L", size, bytes(drawn.buffer), "raw", "L", stride, -1)  # its first row is the lowest


def _set(line: str) -> Image.Image:
    from layout.engine import ZoneValue, render, stamp  # noqa: PLC0415  # only these scripts need the engine
    from layout.pdf.draw_page_images import page_clip  # noqa: PLC0415  # and PyMuPDF

    pdf = render(_BLANK, ()).pdf
    if pdf is None:
        raise AssertionError("the blank page cannot be laid out")
    clip = (_ZONE.x, _ZONE.y - 20, _ZONE.x + _ZONE.w, _ZONE.y + _ZONE.h + 20)
    with Image.open(BytesIO(page_clip(stamp(pdf, [ZoneValue(_ZONE, text=line)]), _ZONE.page, clip))) as picture:
        return picture.getchannel("A")

"""The ink of lines: how far their glyphs reach, which the advances and the height of a font do not say.

Marks stack, and some scripts are taller than the fonts of plain text. Ink that reaches further than that of any
orthography is clipped to its line (`overhang`); the bytes of all other texts are the same with and without the check.
"""

from collections.abc import Iterable
from functools import lru_cache

from layout.frames import Text, glyphs_of
from layout.geometry import Rect
from layout.text.font_fallback import EAST_ASIAN, InkBox
from layout.text.fonts import ShippedFonts
from layout.text.glyph_runs import Run

TALLEST, DEEPEST = 1_500, 650
"""The furthest that the ink of an orthography reaches from the baseline, in thousandths of the size.

Pointed Arabic reaches 1,430 up, Khmer 570 and Devanagari 605 down.
"""

_BESIDE = 500  # the furthest that it reaches beyond the advances, to the left and to the right
_PLAIN_TOP, _PLAIN_BOTTOM, _PLAIN_BESIDE = 1_195, -345, 290
"""The furthest that plain characters reach. Tests compare these with the fonts."""

_FONTS = ShippedFonts()


def ink_of(text: Text) -> Rect | None:
    """Returns the rectangle that holds the ink of `text`, in the coordinates of its frame; None without ink."""
    glyphs = glyphs_of(text)
    scale = text.style.size / 1000
    if glyphs is None:
        if not text.text.strip():
            return None
        beside, height = _PLAIN_BESIDE * scale, (_PLAIN_TOP - _PLAIN_BOTTOM) * scale
        return Rect(text.x - beside, text.y - _PLAIN_TOP * scale, text.width + 2 * beside, height)
    box = _joined(
        (box._replace(left=x + box.left, right=x + box.right) for x, run in glyphs.runs if (box := _ink(run)))
    )
    if box is None:
        return None
    width, height = (box.right - box.left) * scale, (box.top - box.bottom) * scale
    return Rect(text.x + box.left * scale, text.y - box.top * scale, width, height)


def overhang(text: Text) -> Rect | None:
    """Returns the box of the line, to which `text` must be clipped; None if its ink stays near enough to it."""
    glyphs = glyphs_of(text)
    if glyphs is None:
        return None
    scale, style = text.style.size / 1000, text.style
    extent = round(text.width / scale) if scale else 0
    for x, run in glyphs.runs:
        if len(run.text) == 1 and EAST_ASIAN.match(run.text):
            continue  # its ink stays within its advance, so nearly, and is dear to read
        box = _ink(run)
        if box is None:
            continue
        if box.top > TALLEST or box.bottom < -DEEPEST or x + box.left < -_BESIDE or x + box.right > extent + _BESIDE:
            return Rect(text.x, text.y - style.baseline(_FONTS), text.width, style.leading)
    return None


@lru_cache(20_000)
def _ink(run: Run) -> InkBox | None:
    """Returns the ink of `run`, from its left end."""
    known = run.variant.ink
    if len(run.glyphs) == 1:
        (glyph,) = run.glyphs
        box = known[glyph.key[0]]
        if box is None or not (glyph.x or glyph.y):
            return box
    sides: list[tuple[int, int, int, int]] = []
    pen = 0
    for (number, _), x, y, advance, _ in run.glyphs:
        box = known[number]
        if box is not None:
            left, bottom, right, top = box
            sides.append((pen + x + left, y + bottom, pen + x + right, y + top))
        pen += advance
    return _joined(sides)


def _joined(boxes: Iterable[tuple[int, int, int, int]]) -> InkBox | None:
    sides = list(zip(*boxes, strict=True))
    if not sides:
        return None
    left, bottom, right, top = sides
    return InkBox(min(left), min(bottom), max(right), max(top))

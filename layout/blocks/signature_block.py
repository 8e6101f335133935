"""Signature blocks: name, date signed and signature of one recipient. Never split. Specification 2.7."""

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from layout.blocks.alignment import Column, mirror, set_lines
from layout.blocks.block import Block, Fit, Gaps, whole_or_nothing
from layout.captions import ENGLISH, Captions
from layout.frames import Frame, Item, Role, Rule, Text, UnplacedZone
from layout.geometry import Rect, Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import wrap
from layout.theme_styles import CAPTION, LINE, SMALL_PRINT
from layout.zone import ZoneType

_BELOW_LABEL = 4.0
_ENTRY_HEIGHT = 20.0
_ROW = 38.0  # an entry, its caption, and space before the next
_GUTTER = 28.0
_SIGNATURE_SHARE = 0.56
_SIGNATURE_HEIGHT = 46.0
_BELOW_LINE = 1.5

SMALL_PRINT_DROP = _BELOW_LINE + CAPTION.leading + 2
"""Distance from the signature line down to the two lines reserved for small print, in points."""

SMALL_PRINT_HEIGHT = 2 * SMALL_PRINT.leading


@dataclass(frozen=True, slots=True)
class SignatureBlock(Block):
    """A block with the signature at the left and name and date at the right, each above a line with a caption."""

    name: str
    label: str
    recipient: str
    style: TextStyle
    captions: Captions = ENGLISH

    gaps: ClassVar[Gaps] = Gaps(above=20, below=14)
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        lines = wrap(self.label, self.style, region.width, fonts)
        label = set_lines(lines, self.style, fonts, Column(region.width, align="left"))
        top = len(lines) * self.style.leading + _BELOW_LABEL
        left = (region.width - _GUTTER) * _SIGNATURE_SHARE
        right = left + _GUTTER
        base = top + _ROW + _ENTRY_HEIGHT  # the baseline of signature and date
        signature = Rect(0, base - _SIGNATURE_HEIGHT, left, _SIGNATURE_HEIGHT)
        name = Rect(right, top, region.width - right, _ENTRY_HEIGHT)
        date = Rect(right, top + _ROW, region.width - right, _ENTRY_HEIGHT)
        items: tuple[Item, ...] = (
            *label,
            *self._entry("name", ZoneType.SIGNER_NAME, name, fonts),
            *self._entry("date", ZoneType.DATE_SIGNED, date, fonts),
            *self._entry("signature", ZoneType.SIGNATURE, signature, fonts),
        )
        if lines[0].backwards:
            items = mirror(items, region.width)
        height = base + SMALL_PRINT_DROP + SMALL_PRINT_HEIGHT
        return whole_or_nothing(Frame(region.width, height, Role.SIGNATURE, self.path, items), region)

    def _entry(self, part: str, type: ZoneType, rect: Rect, fonts: FontMetrics) -> tuple[Item, ...]:
        caption = self.captions.parts[part]
        (line,) = wrap(caption, CAPTION, inf, fonts)
        baseline = rect.bottom + _BELOW_LINE + CAPTION.baseline(fonts)
        return (
            Rule(rect.x, rect.bottom, rect.w, 0.6, LINE),
            Text(rect.x, baseline, caption, line.width, CAPTION, None, line.glyphs),
            UnplacedZone(rect, f"{self.name}:{part}", type, self.label, self.recipient, required=True),
        )

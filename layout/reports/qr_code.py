"""Blocks of reports: QR codes with a caption (ISO/IEC 18004), and two blocks side by side."""

from dataclasses import dataclass
from typing import ClassVar

import segno

from layout.blocks.alignment import Column, set_lines
from layout.blocks.block import Block, Fit, Gaps, Nothing, Whole, whole_or_nothing
from layout.frames import Frame, Item, Pattern, Placed, Role
from layout.geometry import Rect, Region
from layout.text.fonts import FontMetrics
from layout.text.wrap_text import wrap
from layout.theme_styles import CAPTION, INK

_ABOVE_CAPTION = 4.0


@dataclass(frozen=True, slots=True)
class QrCode(Block):
    """A QR code of `address`, as wide as its region, with a caption below. The page margin is its quiet zone."""

    address: str
    caption: str

    gaps: ClassVar[Gaps] = Gaps(above=0, below=10)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        code = segno.make_qr(self.address, error="m", boost_error=False)
        rows = tuple(tuple(module == 1 for module in row) for row in code.matrix)
        # Squares of whole hundredths of a point, the resolution of the output, so that no row is off by rounding.
        square = int(100 * region.width / len(rows)) / 100
        side = square * len(rows)
        pattern = Pattern(Rect((region.width - side) / 2, 0, side, side), rows, INK)
        figure = Frame(region.width, side, Role.FIGURE, self.path, (pattern,), f"QR: {self.address}")
        lines = wrap(self.caption, CAPTION, region.width, fonts)
        texts = set_lines(lines, CAPTION, fonts, Column(region.width, align="center"))
        height = len(lines) * CAPTION.leading
        caption = Frame(region.width, height, Role.PARAGRAPH, f"{self.path}/caption", texts)
        top = side + _ABOVE_CAPTION
        items: tuple[Item, ...] = (Placed(0, 0, figure), Placed(0, top, caption))
        return whole_or_nothing(Frame(region.width, top + height, Role.ROW, self.path, items), region)


@dataclass(frozen=True, slots=True)
class SideBySide(Block):
    """`left` in the remaining width, and `right` in a column that is `right_width` points wide. Never split."""

    left: Block
    right: Block
    right_width: float

    gaps: ClassVar[Gaps] = Gaps(above=4, below=12)

    GUTTER: ClassVar[float] = 28.0

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        width = region.width - self.right_width - self.GUTTER
        left = self.left.fit(Region(width, region.height), fonts)
        right = self.right.fit(Region(self.right_width, region.height), fonts)
        if not isinstance(left, Whole) or not isinstance(right, Whole):
            return Nothing()
        items = (Placed(0, 0, left.frame), Placed(width + self.GUTTER, 0, right.frame))
        height = max(left.frame.height, right.frame.height)
        return whole_or_nothing(Frame(region.width, height, Role.ROW, self.path, items), region)

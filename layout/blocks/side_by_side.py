"""Two blocks side by side, kept whole on one page."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Block, Fit, Gaps, Nothing, Whole, whole_or_nothing
from layout.paging.frames import Frame, Placed, Role
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class SideBySide:
    """`left`, and `right` in a column of its own, `right_width` points wide."""

    path: str
    left: Block
    right: Block
    right_width: float

    gaps: ClassVar[Gaps] = Gaps(above=4, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

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

"""Section headings, which stay with the block that follows. Specification 2.7."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, whole_or_nothing
from layout.blocks.text_placement import Column, set_lines
from layout.paging.frames import Frame, Role
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import wrap


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; it is never split."""

    path: str
    text: str
    style: TextStyle

    gaps: ClassVar[Gaps] = Gaps(above=18, below=6)
    keeps_with_next: ClassVar[bool] = True
    has_zone: ClassVar[bool] = False

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        lines = wrap(self.text, self.style, region.width, fonts)
        items = set_lines(lines, self.style, fonts, Column(region.width))
        frame = Frame(region.width, len(lines) * self.style.leading, Role.HEADING, self.path, items)
        return whole_or_nothing(frame, region)

"""Paragraphs: wrapped text, split across pages. Specification 2.7, 2.12."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, Nothing, Part, Whole
from layout.blocks.text_placement import Align, Column, set_lines
from layout.paging.frames import Frame, Role
from layout.paging.geometry import TOLERANCE, Region
from layout.text.find_links import Link, find_links, split_at_links, text_length
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, wrap

MIN_LINES = 2
"""Minimum number of lines of a split paragraph on each page (widows and orphans)."""

_BELOW = 0.75  # gap after a paragraph in multiples of its font size


@lru_cache(64)
def _gaps(size: float) -> Gaps:
    return Gaps(above=0, below=_BELOW * size)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph before line breaking. `text` is prepared for drawing."""

    path: str
    text: str
    style: TextStyle
    align: Align = "start"

    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    @property
    def gaps(self) -> Gaps:
        return _gaps(self.style.size)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        if not region.holds(self.style.leading):
            return Nothing()
        lines = wrap(self.text, self.style, region.width, fonts)
        return WrappedParagraph(self.path, lines, self.style, self.align, find_links(self.text)).fit(region, fonts)


@dataclass(frozen=True, slots=True)
class WrappedParagraph:
    """A paragraph after line breaking, from line `first` on. All regions have the same width, so lines are kept."""

    path: str
    lines: tuple[Line, ...]
    style: TextStyle
    align: Align
    links: tuple[Link, ...] = ()
    first: int = 0

    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    @property
    def gaps(self) -> Gaps:
        return _gaps(self.style.size)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        left = len(self.lines) - self.first
        if region.holds(left * self.style.leading):
            return Whole(self._frame(left, region, fonts))
        count = min(int((region.height + TOLERANCE) / self.style.leading), left - MIN_LINES)
        if count < MIN_LINES:
            return Nothing()
        return Part(self._frame(count, region, fonts), replace(self, first=self.first + count))

    def _frame(self, count: int, region: Region, fonts: FontMetrics) -> Frame:
        lines = self.lines[self.first : self.first + count]
        texts = set_lines(lines, self.style, fonts, Column(region.width, align=self.align))
        start = text_length(self.lines[: self.first])
        items = split_at_links(lines, texts, self.links, start, fonts) if self.links and texts else texts
        return Frame(region.width, count * self.style.leading, Role.PARAGRAPH, self.path, items)

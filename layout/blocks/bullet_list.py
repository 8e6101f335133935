"""Bullet lists: entries with a hanging indent, that go on over pages. Specification 2.7, 2.12."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, Nothing, Part, Whole
from layout.blocks.field import BOX_GAP, TICK_BOX
from layout.blocks.paragraph import MIN_LINES
from layout.blocks.rtl_mirroring import mirror
from layout.blocks.text_placement import Column, set_lines
from layout.paging.frames import Frame, Item, Placed, Role, Text
from layout.paging.geometry import TOLERANCE, Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, width_of, wrap

BULLET = "•"
_INDENT = TICK_BOX + BOX_GAP  # so that all texts beside something begin on one line down the page
_BULLET_AT = 6.0  # its middle: that of a tick box
_BETWEEN = 4.0
_GAPS = Gaps(above=0, below=8)


@dataclass(frozen=True, slots=True)
class BulletList:
    """A list as texts, which are ready to draw."""

    path: str
    items: tuple[str, ...]
    style: TextStyle

    gaps: ClassVar[Gaps] = _GAPS
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        lines = tuple(wrap(item, self.style, region.width - _INDENT, fonts) for item in self.items)
        return WrappedList(self.path, lines, self.style).fit(region, fonts)


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of one item that stand together on a page: `count` lines from line `first` on, `y` points down."""

    item: int
    first: int
    count: int
    y: float


@dataclass(frozen=True, slots=True)
class WrappedList:
    """A list as lines, or the rest of one from line `line` of item `item` on."""

    path: str
    items: tuple[tuple[Line, ...], ...]
    style: TextStyle
    item: int = 0
    line: int = 0

    gaps: ClassVar[Gaps] = _GAPS
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        runs = tuple(self._runs(region.height))
        if not runs:
            return Nothing()
        last = runs[-1]
        height = last.y + last.count * self.style.leading
        items = tuple(self._placed(run, region.width, fonts) for run in runs)
        frame = Frame(region.width, height, Role.LIST, self.path, items)
        line = last.first + last.count
        if line < len(self.items[last.item]):
            return Part(frame, replace(self, item=last.item, line=line))
        if last.item + 1 < len(self.items):
            return Part(frame, replace(self, item=last.item + 1, line=0))
        return Whole(frame)

    def _runs(self, height: float) -> Iterator[Run]:
        """What fits into `height` points: whole items, and of the next its beginning, of which two lines at least stay
        together on either page.
        """
        y, first = 0.0, self.line
        for item in range(self.item, len(self.items)):
            left = len(self.items[item]) - first
            room = int((height - y + TOLERANCE) / self.style.leading)
            count = left if room >= left else min(room, left - MIN_LINES)
            if count < min(left, MIN_LINES):
                return
            yield Run(item, first, count, y)
            if count < left:
                return
            y, first = y + count * self.style.leading + _BETWEEN, 0

    def _placed(self, run: Run, width: float, fonts: FontMetrics) -> Placed:
        """One item, or a part of it, with its bullet where it begins."""
        lines, path = self.items[run.item], f"{self.path}/items/{run.item}"
        shown = lines[run.first : run.first + run.count]
        column = Column(width - _INDENT, x=_INDENT, align="left")
        items: tuple[Item, ...] = set_lines(shown, self.style, fonts, column)
        if run.first == 0:
            items = (Placed(0.0, 0.0, self._bullet(path, fonts)), *items)
        if lines[0].backwards:
            items = mirror(items, width)
        return Placed(0.0, run.y, Frame(width, run.count * self.style.leading, Role.ITEM, path, items))

    def _bullet(self, path: str, fonts: FontMetrics) -> Frame:
        width = width_of(BULLET, self.style, fonts)
        text = Text(_BULLET_AT - width / 2, self.style.baseline(fonts), BULLET, width, self.style)
        return Frame(_INDENT, self.style.leading, Role.LABEL, path, (text,))

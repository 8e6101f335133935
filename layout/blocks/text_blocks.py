"""Headings, which stay with the next block, paragraphs and bullet lists, which are split. Specification 2.7, 2.12."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from layout.blocks.alignment import Align, Column, mirror
from layout.blocks.block import Block, Fit, Gaps, Nothing, Part, Whole, whole_or_nothing
from layout.blocks.find_links import find_links
from layout.blocks.hanging_number import HangingNumber, directed
from layout.blocks.split_at_spans import Wrapped, set_wrapped, text_length
from layout.blocks.tick_box_shape import BOX_GAP, TICK_BOX
from layout.frames import Frame, Item, Placed, Role, Text
from layout.geometry import TOLERANCE, Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.spans import Span, with_links
from layout.text.wrap_text import Line, width_of, wrap

MIN_LINES = 2
"""Minimum number of lines of a split paragraph on each page (widows and orphans)."""

BULLET = "•"
_BELOW = 0.75  # gap after a paragraph in multiples of its font size
_INDENT = TICK_BOX + BOX_GAP  # aligns with labels of tick boxes
_BULLET_AT = 6.0  # centre of the bullet: that of a tick box
_BETWEEN = 4.0
_AFTER_NUMBER = 6.0


@dataclass(frozen=True, slots=True)
class Heading(Block):
    """A section heading; it is never split."""

    text: str
    style: TextStyle
    spans: tuple[Span, ...] = ()
    number: HangingNumber | None = None
    level: int = 1

    gaps: ClassVar[Gaps] = Gaps(above=18, below=6)
    keeps_with_next: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        width = region.width - (self.number.indent if self.number else 0)
        lines = wrap(self.text, self.style, width, fonts, self.spans)
        items = set_wrapped(Wrapped(lines, self.spans), self.style, fonts, Column(width))
        frame = Frame(width, len(lines) * self.style.leading, Role.HEADING, self.path, items, level=self.level)
        if self.number:
            frame = self.number.around(frame, fonts, is_first=True)
        return whole_or_nothing(frame, region)


@lru_cache(64)
def _gaps(size: float) -> Gaps:
    return Gaps(above=0, below=_BELOW * size)


@dataclass(frozen=True, slots=True)
class Paragraph(Block):
    """A paragraph before line breaking. `text` is prepared for drawing."""

    text: str
    style: TextStyle
    align: Align = "start"
    spans: tuple[Span, ...] = ()
    number: HangingNumber | None = None

    @property
    def gaps(self) -> Gaps:
        return _gaps(self.style.size)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        if not region.holds(self.style.leading):
            return Nothing()
        width = region.width - (self.number.indent if self.number else 0)
        lines = wrap(self.text, self.style, width, fonts, self.spans)
        spans = with_links(self.spans, find_links(self.text))
        return WrappedParagraph(self.path, lines, self.style, self.align, spans, self.number).fit(region, fonts)


@dataclass(frozen=True, slots=True)
class WrappedParagraph(Block):
    """A paragraph after line breaking, from line `first` on, which begins at character `start` of its text.

    All regions have the same width, so lines are kept.
    """

    lines: tuple[Line, ...]
    style: TextStyle
    align: Align
    spans: tuple[Span, ...] = ()
    number: HangingNumber | None = None
    first: int = 0
    start: int = 0

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
        start = self.start + text_length(self.lines[self.first : self.first + count])
        return Part(self._frame(count, region, fonts), replace(self, first=self.first + count, start=start))

    def _frame(self, count: int, region: Region, fonts: FontMetrics) -> Frame:
        lines = self.lines[self.first : self.first + count]
        wrapped = Wrapped(lines, self.spans, self.start)
        width = region.width - (self.number.indent if self.number else 0)
        items = set_wrapped(wrapped, self.style, fonts, Column(width, align=self.align))
        frame = Frame(width, count * self.style.leading, Role.PARAGRAPH, self.path, items)
        return self.number.around(frame, fonts, is_first=self.first == 0) if self.number else frame


@dataclass(frozen=True, slots=True)
class BulletList(Block):
    """A list before line breaking. Its texts are prepared for drawing."""

    items: tuple[str, ...]
    style: TextStyle
    spans: tuple[tuple[Span, ...], ...] = ()  # of each item; empty if no item has any
    labels: tuple[str, ...] = ()  # the number of each item; empty for bullets
    numbering: str = "Disc"  # their kind, a value of `ListNumbering` of PDF

    gaps: ClassVar[Gaps] = Gaps(above=0, below=8)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        indent = self._indent(fonts)
        width, spans = region.width - indent, self.spans or ((),) * len(self.items)
        lines = (wrap(item, self.style, width, fonts, own) for item, own in zip(self.items, spans, strict=True))
        wrapped = WrappedList(self.path, tuple(lines), self.style, self, indent)
        return wrapped.fit(region, fonts)

    def _indent(self, fonts: FontMetrics) -> float:
        widest = max((width_of(label, self.style, fonts) for label in self.labels), default=0.0)
        return max(_INDENT, widest + _AFTER_NUMBER) if self.labels else _INDENT


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive lines of one item on a page: `count` lines from line `first` on, at `y` points."""

    item: int
    first: int
    count: int
    y: float


@dataclass(frozen=True, slots=True)
class WrappedList(Block):
    """A list after line breaking, from line `line` of item `item` on."""

    items: tuple[tuple[Line, ...], ...]
    style: TextStyle
    source: BulletList
    indent: float
    item: int = 0
    line: int = 0

    gaps: ClassVar[Gaps] = BulletList.gaps

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        runs = tuple(self._runs(region.height))
        if not runs:
            return Nothing()
        last = runs[-1]
        height = last.y + last.count * self.style.leading
        items = tuple([self._placed(run, region.width, fonts) for run in runs])
        frame = Frame(region.width, height, Role.LIST, self.path, items, numbering=self.source.numbering)
        line = last.first + last.count
        if line < len(self.items[last.item]):
            return Part(frame, replace(self, item=last.item, line=line))
        if last.item + 1 < len(self.items):
            return Part(frame, replace(self, item=last.item + 1, line=0))
        return Whole(frame)

    def _runs(self, height: float) -> Iterator[Run]:
        """Yields whole items that fit into `height` points, then a part of the next; parts have two lines at least."""
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

    def _label(self, item: int, fonts: FontMetrics) -> Text:
        """Returns the bullet or the number of an item. In a list from right to left it is mirrored."""
        if not self.source.labels:
            width = width_of(BULLET, self.style, fonts)
            return Text(_BULLET_AT - width / 2, self.style.baseline(fonts), BULLET, width, self.style)
        backwards = self.items[item][0].backwards
        label = directed(self.source.labels[item], backwards=backwards)
        return Text(0.0, self.style.baseline(fonts), label, width_of(label, self.style, fonts), self.style)

    def _placed(self, run: Run, width: float, fonts: FontMetrics) -> Placed:
        """Places an item or a part of it, with its label before its first line."""
        lines, path = self.items[run.item], f"{self.path}/items/{run.item}"
        shown = Wrapped(lines[run.first : run.first + run.count])
        if self.source.spans:
            shown = shown._replace(spans=self.source.spans[run.item], start=text_length(lines[: run.first]))
        indent = self.indent
        column = Column(width - indent, x=indent, align="left")
        items: tuple[Item, ...] = set_wrapped(shown, self.style, fonts, column)
        if run.first == 0:
            label = (self._label(run.item, fonts),)
            items = (Placed(0.0, 0.0, Frame(indent, self.style.leading, Role.LABEL, path, label)), *items)
        if lines[0].backwards:
            items = mirror(items, width)
        return Placed(0.0, run.y, Frame(width, run.count * self.style.leading, Role.ITEM, path, items))

"""Tables: rows of cells that go on over pages, where the names of the columns are repeated.

A table without names of columns, which tells of one thing, stays whole unless it is `TALL`, and so does each row of any
table. A tall row, which texts of strangers can make, is cut between lines. So there is always a row, or a piece of one,
that a fresh page holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar, NamedTuple

from layout.blocks.block import Fit, Gaps, Nothing, Part, Whole
from layout.blocks.text_placement import Column, set_lines
from layout.paging.frames import Frame, Item, Placed, Role, Rule, Text
from layout.paging.geometry import TOLERANCE, Region
from layout.schema.theme import CAPTION, LIGHT_LINE, LINE
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, wrap

TALL = 320.0
_PADDING = 3.0
_ABOVE_CELLS = 2.0  # between the top of a table with names of columns and the names
_GUTTER = 12.0
_HEAD_HEIGHT = CAPTION.leading + 5
_HAIRLINE = 0.5


class Entry(NamedTuple):
    """One text of a cell, ready to draw."""

    text: str
    style: TextStyle


class SetLine(NamedTuple):
    """One line of a cell."""

    line: Line
    style: TextStyle


Cell = tuple[SetLine, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as texts. `widths` are shares of the room; `head`, if any, names the columns."""

    path: str
    widths: tuple[float, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[tuple[Entry, ...], ...], ...]

    gaps: ClassVar[Gaps] = Gaps(above=4, below=10)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        columns = _columns(self.widths, region.width)
        rows = tuple(
            tuple(_cell(cell, column.width, fonts) for cell, column in zip(row, columns, strict=True))
            for row in self.rows
        )
        return WrappedTable(self.path, columns, self.head, rows).fit(region, fonts)


@dataclass(frozen=True, slots=True)
class WrappedTable:
    """A table as lines, or the rest of one. `first` is the number of its first row in the whole table."""

    path: str
    columns: tuple[Column, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    first: int = 0
    is_rest: bool = False

    gaps: ClassVar[Gaps] = Table.gaps
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        top = _HEAD_HEIGHT if self.head else 0.0
        ends = list(accumulate((_height(row) for row in self.rows), initial=top))
        count = sum(end <= region.height + TOLERANCE for end in ends[1:])
        if count == len(self.rows):
            return Whole(self._frame(self.rows, region, fonts))
        if not self.head and not self.is_rest and ends[-1] < TALL:
            return Nothing()
        if count:
            rest = replace(self, rows=self.rows[count:], first=self.first + count, is_rest=True)
            return Part(self._frame(self.rows[:count], region, fonts), rest)
        return self._with_cut_row(region, region.height - top, fonts)

    def _with_cut_row(self, region: Region, room: float, fonts: FontMetrics) -> Fit:
        row = self.rows[0]
        taken = [_lines_within(cell, room - 2 * _PADDING) for cell in row]
        if _height(row) < TALL or not any(taken):
            return Nothing()
        fitting = tuple(cell[:count] for cell, count in zip(row, taken, strict=True))
        left = tuple(cell[count:] for cell, count in zip(row, taken, strict=True))
        return Part(self._frame((fitting,), region, fonts), replace(self, rows=(left, *self.rows[1:]), is_rest=True))

    def _frame(self, rows: Sequence[tuple[Cell, ...]], region: Region, fonts: FontMetrics) -> Frame:
        items: list[Item] = [
            Rule(0, 0, region.width, _HAIRLINE, LIGHT_LINE if self.is_rest and not self.head else LINE)
        ]
        y = 0.0
        if self.head:
            items.append(Placed(0, 0, self._head(region.width, fonts)))
            y = _HEAD_HEIGHT
            items.append(Rule(0, y, region.width, _HAIRLINE, LINE))
        for number, row in enumerate(rows, start=self.first):
            height = _height(row)
            items.append(Placed(0, y, self._row(f"{self.path}/rows/{number}", row, height, fonts)))
            y += height
            items.append(Rule(0, y, region.width, _HAIRLINE, LIGHT_LINE))
        return Frame(region.width, y, Role.TABLE, self.path, tuple(items))

    def _row(self, path: str, row: Sequence[Cell], height: float, fonts: FontMetrics) -> Frame:
        cells = tuple(
            Placed(column.x, _PADDING, self._cell(f"{path}/cells/{at}", at, cell, fonts))
            for at, (column, cell) in enumerate(zip(self.columns, row, strict=True))
        )
        width = self.columns[-1].x + self.columns[-1].width
        return Frame(width, height, Role.TABLE_ROW, path, cells)

    def _cell(self, path: str, at: int, cell: Cell, fonts: FontMetrics) -> Frame:
        width = self.columns[at].width
        texts: list[Text] = []
        y = 0.0
        for line, style in cell:
            spaced = line if not line.ends_paragraph else line._replace(text=f"{line.text} ")
            texts += set_lines((spaced if line.glyphs is None else line,), style, fonts, Column(width, y=y))
            y += style.leading
        role = Role.CELL if self.head or at else Role.ROW_HEAD
        return Frame(width, y, role, path, tuple(texts))

    def _head(self, width: float, fonts: FontMetrics) -> Frame:
        """The names of the columns; on later pages they pass for decoration, for readers have heard them."""
        path = f"{self.path}/head"
        cells = tuple(
            Placed(column.x, _ABOVE_CELLS, _named(f"{path}/{at}", name, column, fonts))
            for at, (column, name) in enumerate(zip(self.columns, self.head, strict=True))
        )
        if not self.is_rest:
            return Frame(width, _HEAD_HEIGHT, Role.TABLE_ROW, path, cells)
        texts = tuple(
            item._replace(x=item.x + cell.x, y=item.y + cell.y)
            for cell in cells
            for item in cell.frame.items
            if isinstance(item, Text)
        )
        return Frame(width, _HEAD_HEIGHT, Role.ARTIFACT, path, texts)


def _columns(widths: Sequence[float], room: float) -> tuple[Column, ...]:
    usable = room - _GUTTER * (len(widths) - 1)
    sizes = [usable * width / sum(widths) for width in widths]
    return tuple(Column(size, x=sum(sizes[:at]) + at * _GUTTER) for at, size in enumerate(sizes))


def _cell(entries: Sequence[Entry], width: float, fonts: FontMetrics) -> Cell:
    return tuple(
        SetLine(line, entry.style) for entry in entries for line in wrap(entry.text, entry.style, width, fonts)
    )


def _named(path: str, name: str, column: Column, fonts: FontMetrics) -> Frame:
    texts = set_lines(wrap(name, CAPTION, column.width, fonts)[:1], CAPTION, fonts, Column(column.width))
    return Frame(column.width, CAPTION.leading, Role.COLUMN_HEAD, path, texts)


def _height(row: Sequence[Cell]) -> float:
    return 2 * _PADDING + max(sum(style.leading for _, style in cell) for cell in row)


def _lines_within(cell: Cell, room: float) -> int:
    ends = accumulate(style.leading for _, style in cell)
    return sum(end <= room + TOLERANCE for end in ends)

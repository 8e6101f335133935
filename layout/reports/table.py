"""Tables of reports, split across pages with the column headings repeated.

Rows, and tables without column headings, are split only if they are at least `TALL` points high. Such a row, which
untrusted texts can cause, is split between lines, so an empty page always holds at least a part of a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar, NamedTuple

from layout.blocks.alignment import Column, set_lines
from layout.blocks.block import Block, Fit, Gaps, Nothing, Part, Whole
from layout.frames import Frame, Item, Placed, Role, Rule, Text
from layout.geometry import TOLERANCE, Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import Line, wrap
from layout.theme_styles import CAPTION, LIGHT_LINE, LINE

TALL = 320.0
_PADDING = 3.0
_ABOVE_CELLS = 2.0  # above the column headings
_GUTTER = 12.0
_HEAD_HEIGHT = CAPTION.leading + 5
_HAIRLINE = 0.5


class Entry(NamedTuple):
    """A text in a cell, prepared for drawing."""

    text: str
    style: TextStyle


class SetLine(NamedTuple):
    """A line of a cell, with its style."""

    line: Line
    style: TextStyle


Cell = tuple[SetLine, ...]


@dataclass(frozen=True, slots=True)
class Table(Block):
    """A table before line breaking. `widths` are relative column widths; `head` has the column headings, if any.

    `is_mirrored`: its columns run from right to left, and all texts in them begin at the right.
    """

    widths: tuple[float, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[tuple[Entry, ...], ...], ...]
    is_mirrored: bool = False

    gaps: ClassVar[Gaps] = Gaps(above=4, below=10)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        columns = _columns(self.widths, region.width)
        if self.is_mirrored:
            columns = tuple(replace(one, x=region.width - one.x - one.width, align="right") for one in columns)
        rows = tuple(
            tuple(
                tuple(SetLine(line, style) for text, style in cell for line in wrap(text, style, column.width, fonts))
                for cell, column in zip(row, columns, strict=True)
            )
            for row in self.rows
        )
        return WrappedTable(self.path, columns, self.head, rows).fit(region, fonts)


@dataclass(frozen=True, slots=True)
class WrappedTable(Block):
    """A table after line breaking, or the rest of one. `first` is the index of its first row in the whole table."""

    columns: tuple[Column, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    first: int = 0
    is_rest: bool = False

    gaps: ClassVar[Gaps] = Table.gaps

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
        column = replace(self.columns[at], x=0.0)
        texts: list[Text] = []
        y = 0.0
        for line, style in cell:
            spaced = line if not line.ends_paragraph else line._replace(text=f"{line.text} ")
            texts += set_lines((spaced if line.glyphs is None else line,), style, fonts, replace(column, y=y))
            y += style.leading
        role = Role.CELL if self.head or at else Role.ROW_HEAD
        return Frame(column.width, y, role, path, tuple(texts))

    def _head(self, width: float, fonts: FontMetrics) -> Frame:
        """Lays out the column headings. On later pages they are artifacts, which screen readers skip."""
        path = f"{self.path}/head"
        cells = tuple(
            Placed(column.x, _ABOVE_CELLS, _column_head(f"{path}/{at}", name, column, fonts))
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


def _column_head(path: str, name: str, column: Column, fonts: FontMetrics) -> Frame:
    texts = set_lines(wrap(name, CAPTION, column.width, fonts)[:1], CAPTION, fonts, replace(column, x=0.0))
    return Frame(column.width, CAPTION.leading, Role.COLUMN_HEAD, path, texts)


def _height(row: Sequence[Cell]) -> float:
    return 2 * _PADDING + max(sum(style.leading for _, style in cell) for cell in row)


def _lines_within(cell: Cell, room: float) -> int:
    ends = accumulate(style.leading for _, style in cell)
    return sum(end <= room + TOLERANCE for end in ends)

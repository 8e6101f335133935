"""Numbers that stand before a block, whose text hangs behind them."""

from math import inf
from typing import NamedTuple

from layout.blocks.alignment import Column, set_lines
from layout.frames import Frame, Item, Rule, Text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import wrap

_RIGHT_TO_LEFT_MARK = "\u200f"


class HangingNumber(NamedTuple):
    """A number at `x` points from the beginning of lines, before a text that begins at `indent` points.

    `backwards`: the text reads from right to left, and the number stands at the right.
    """

    label: str
    style: TextStyle
    x: float
    indent: float
    backwards: bool = False

    def around(self, frame: Frame, fonts: FontMetrics, *, is_first: bool) -> Frame:
        """Returns `frame`, the text or a part of it, with room for the number, which the first part has."""
        width = frame.width + self.indent
        if not fonts.draws:
            return frame._replace(width=width)
        items = frame.items if self.backwards else tuple(_moved(item, self.indent) for item in frame.items)
        return frame._replace(width=width, items=(*(self._items(width, fonts) if is_first else ()), *items))

    def _items(self, width: float, fonts: FontMetrics) -> tuple[Item, ...]:
        (line,) = wrap(directed(f"{self.label} ", backwards=self.backwards), self.style, inf, fonts)
        x = width - self.x - line.width if self.backwards else self.x
        return set_lines((line,), self.style, fonts, Column(line.width, x=x, align="left"))


def directed(label: str, *, backwards: bool) -> str:
    """Returns `label` as text of that direction: its full stop is at its end."""
    return f"{_RIGHT_TO_LEFT_MARK}{label}" if backwards else label


def _moved(item: Item, right: float) -> Item:
    return item._replace(x=item.x + right) if isinstance(item, Text | Rule) else item

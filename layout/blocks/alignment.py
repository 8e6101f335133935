"""Alignment of items: wrapped lines in a column, and mirrored items in blocks with right-to-left text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from layout.frames import Item, Placed, Rule, Stroke, Text, UnplacedZone
from layout.geometry import Rect
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import Line, shaper_of

Align = Literal["start", "left", "center", "right"]
"""`start` is left for left-to-right lines and right for right-to-left lines."""

SHARE: Mapping[Align, float] = {"start": 0.0, "left": 0.0, "center": 0.5, "right": 1.0}
"""Share of the remaining width that is left of the aligned item."""


@dataclass(frozen=True, slots=True)
class Column:
    """The area of lines within a frame: width, top left corner and alignment."""

    width: float
    x: float = 0.0
    y: float = 0.0
    align: Align = "start"


def set_lines(lines: Sequence[Line], style: TextStyle, fonts: FontMetrics, column: Column) -> tuple[Text, ...]:
    """Returns a text item for each line, from the top of `column` down; none unless `fonts.draws`."""
    if not fonts.draws:
        return ()
    x, y, align = column.x, column.y + style.baseline(fonts), column.align
    shaper, texts, final = shaper_of(style, fonts), [], len(lines) - 1
    for index, (text, width, ends_paragraph, glyphs) in enumerate(lines):
        if ends_paragraph and index < final:
            text = f"{text} "  # noqa: PLW2901  # the line with its trailing space
            glyphs = shaper.ended(glyphs) if glyphs else None  # noqa: PLW2901
        share = SHARE[align] if glyphs is None or align != "start" else float(glyphs.backwards)
        left = x + share * (column.width - width) if share else x
        texts.append(Text(left, y + index * style.leading, text, width, style, None, glyphs))
    return tuple(texts)


def mirror(items: Iterable[Item], width: float) -> tuple[Item, ...]:
    """Mirrors the items of a block that is `width` points wide. A tick box then stands at the right of its label."""
    return tuple(_mirrored(item, width) for item in items)


def _mirrored(item: Item, width: float) -> Item:
    def turned(rect: Rect) -> Rect:
        return Rect(width - rect.right, rect.y, rect.w, rect.h)

    match item:
        case Placed():
            frame = item.frame
            inner = frame._replace(items=mirror(frame.items, frame.width))
            return item._replace(x=width - item.x - frame.width, frame=inner)
        case Text():
            return item._replace(x=width - item.x - item.width)
        case Rule():
            return item._replace(x=width - item.x - item.w)
        case Stroke():
            return item._replace(points=tuple((width - x, y) for x, y in item.points))
        case UnplacedZone():
            options = tuple(option._replace(rect=turned(option.rect)) for option in item.options)
            return item._replace(rect=turned(item.rect), options=options)
    return item._replace(rect=turned(item.rect))

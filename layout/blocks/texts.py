"""Setting wrapped lines as text items, for all that holds text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from layout.fonts import FontMetrics, TextStyle
from layout.frames import Text
from layout.lines import Line, shaper_of

Align = Literal["start", "left", "center", "right"]
"""`start` is left for lines that read from left to right, right for the others."""

SHARE: Mapping[Align, float] = {"start": 0.0, "left": 0.0, "center": 0.5, "right": 1.0}
"""Which share of the room that is left stands before what is aligned."""


@dataclass(frozen=True, slots=True)
class Column:
    """Where lines stand within a frame: how wide, from which corner, and to which side they are set."""

    width: float
    x: float = 0.0
    y: float = 0.0
    align: Align = "start"


def set_lines(lines: Sequence[Line], style: TextStyle, fonts: FontMetrics, column: Column) -> tuple[Text, ...]:
    """One item a line, from the top of `column` down.

    A line that the text itself ends gets a space for its line break, so that texts read one after the other do not
    join words.
    """
    first = column.y + style.baseline(fonts)
    return tuple(
        Text(
            column.x + _share(line, column.align) * (column.width - line.width),
            first + index * style.leading,
            f"{line.text} " if spaced else line.text,
            line.width,
            style,
            glyphs=shaper_of(style, fonts).ended(line.glyphs) if spaced and line.glyphs else line.glyphs,
        )
        for index, line in enumerate(lines)
        for spaced in (line.ends_paragraph and index + 1 < len(lines),)
    )


def _share(line: Line, align: Align) -> float:
    """The share of the free room that is left of the line."""
    return float(line.backwards) if align == "start" else SHARE[align]

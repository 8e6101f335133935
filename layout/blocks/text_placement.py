"""Setting wrapped lines as text items, for all that holds text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from layout.paging.frames import Text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, line_shaper

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
    """One item a line, from the top of `column` down; none where nothing is drawn.

    A line that the text itself ends gets a space for its line break, so that texts read one after the other do not
    join words.
    """
    if not fonts.draws:
        return ()
    x, y, align = column.x, column.y + style.baseline(fonts), column.align
    texts, final = [], len(lines) - 1
    for index, (text, width, ends_paragraph, glyphs) in enumerate(lines):
        if ends_paragraph and index < final:
            text = f"{text} "  # noqa: PLW2901  # the same line, ready to be followed
            glyphs = line_shaper(style, fonts).ended(glyphs) if glyphs else None  # noqa: PLW2901
        share = SHARE[align] if glyphs is None or align != "start" else float(glyphs.backwards)
        left = x + share * (column.width - width) if share else x
        texts.append(Text(left, y + index * style.leading, text, width, style, None, glyphs))
    return tuple(texts)

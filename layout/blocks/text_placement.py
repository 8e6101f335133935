"""Placement of wrapped lines as text items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from layout.paging.frames import Text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, line_shaper

Align = Literal["start", "left", "center", "right"]
"""`start` is left for left-to-right lines and right for right-to-left lines."""

SHARE: Mapping[Align, float] = {"start": 0.0, "left": 0.0, "center": 0.5, "right": 1.0}
"""Share of the remaining width that is left of the aligned item."""


@dataclass(frozen=True, slots=True)
class Column:
    """Area of lines within a frame: width, top left corner, and alignment."""

    width: float
    x: float = 0.0
    y: float = 0.0
    align: Align = "start"


def set_lines(lines: Sequence[Line], style: TextStyle, fonts: FontMetrics, column: Column) -> tuple[Text, ...]:
    """Returns one text item for each line, from the top of `column` down; none if `fonts` only measure.

    A line that ends with a line break of the text gets a trailing space, so that extracted text does not join words.
    """
    if not fonts.draws:
        return ()
    x, y, align = column.x, column.y + style.baseline(fonts), column.align
    texts, final = [], len(lines) - 1
    for index, (text, width, ends_paragraph, glyphs) in enumerate(lines):
        if ends_paragraph and index < final:
            text = f"{text} "  # noqa: PLW2901  # the line with its trailing space
            glyphs = line_shaper(style, fonts).ended(glyphs) if glyphs else None  # noqa: PLW2901
        share = SHARE[align] if glyphs is None or align != "start" else float(glyphs.backwards)
        left = x + share * (column.width - width) if share else x
        texts.append(Text(left, y + index * style.leading, text, width, style, None, glyphs))
    return tuple(texts)

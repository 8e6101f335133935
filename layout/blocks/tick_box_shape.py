"""Empty tick boxes and radio buttons: their size, line and place beside the text."""

from layout.blocks.alignment import Column
from layout.frames import Outline
from layout.geometry import Rect
from layout.text.fonts import TextStyle
from layout.theme_styles import LINE

TICK_BOX = 11.0
"""Width of a tick box or radio button in points."""

BOX_GAP = 8.0
"""Gap between a tick box or radio button and its text, in points."""

_TICK_LINE = 0.8


def tick_box(rect: Rect) -> Outline:
    return Outline(rect, _TICK_LINE, LINE)


def box_and_column(style: TextStyle, width: float) -> tuple[Rect, Column]:
    """Returns the square of a box or button, centred on the first line, and the column for its lines."""
    indent = TICK_BOX + BOX_GAP
    y = max(0.5, (style.leading - TICK_BOX) / 2)
    return Rect(0.5, y, TICK_BOX, TICK_BOX), Column(width - indent, x=indent, align="left")

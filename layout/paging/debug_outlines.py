"""The debug view: pages with an outline around each frame, labelled with its JSON pointer."""

from collections.abc import Iterator
from dataclasses import replace

from layout.frames import Frame, Outline, Placed, Role, Text
from layout.geometry import Rect
from layout.paging.pagination import Page
from layout.text.fonts import Face, FontMetrics, TextStyle
from layout.text.wrap_text import width_of
from layout.theme_styles import colour

_THICKNESS = 0.4
_STEP = 90.0
_NAME = TextStyle(Face.BOLD, 5, 6, colour("#000000"))
_OTHER = colour("#3b73c9")
_COLOURS = {
    Role.HEADING: colour("#c2410c"),
    Role.INPUT: colour("#15803d"),
    Role.SIGNATURE: colour("#15803d"),
    Role.FIGURE: colour("#9333ea"),
    Role.GAP: colour("#9aa4ac"),
    Role.ARTIFACT: colour("#9aa4ac"),
}


def outline_frames(page: Page, fonts: FontMetrics) -> Page:
    """Returns `page` with an outline and a label for each frame, nested frames included."""
    return replace(page, placed=(*page.placed, *(shown for at in page.placed for shown in _outlines(at, 0, fonts))))


def _outlines(at: Placed, depth: int, fonts: FontMetrics) -> Iterator[Placed]:
    """Yields outline and label. Labels of nested frames are shifted left, as the edges of frames may coincide."""
    frame = at.frame
    ink = _COLOURS.get(frame.role, _OTHER)
    name = f"{frame.path or '/'} {frame.role.name.lower()}"
    width = width_of(name, _NAME, fonts)
    x = max(0.0, frame.width - width - 1 - depth * _STEP)
    text = Text(x, _NAME.baseline(fonts) - _NAME.leading, name, width, replace(_NAME, colour=ink))
    items = (Outline(Rect(0, 0, frame.width, frame.height), _THICKNESS, ink), text)
    yield Placed(at.x, at.y, Frame(frame.width, frame.height, Role.ARTIFACT, frame.path, items))
    for item in frame.items:
        if isinstance(item, Placed):
            yield from _outlines(Placed(at.x + item.x, at.y + item.y, item.frame), depth + 1, fonts)

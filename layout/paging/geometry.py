"""Lengths and places on a page. Points everywhere (1/72 inch), origin at the top left, y grows downwards."""

from dataclasses import dataclass

PAGE_WIDTH = 595.0
PAGE_HEIGHT = 842.0
MARGIN = 56.0
CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN  # 483, the content width of the specification
BODY_BOTTOM = PAGE_HEIGHT - 76.0  # where the body ends and the footer's room begins

TOLERANCE = 0.001
"""Half a hair: lengths that differ by less are equal, so that sums of decimals do not push a line off its page."""


@dataclass(frozen=True, slots=True)
class Region:
    """The room that is left for a block: what it is given to fit into, with no word about which page it is on."""

    width: float
    height: float

    def holds(self, height: float) -> bool:
        return height <= self.height + TOLERANCE


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its top left corner and its size."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def moved(self, dx: float, dy: float) -> "Rect":
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

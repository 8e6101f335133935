"""Lengths and positions on a page, in points (1/72 inch). The origin is at the top left; y grows downwards."""

from dataclasses import dataclass
from typing import NamedTuple

PAGE_WIDTH = 595.0
PAGE_HEIGHT = 842.0
MARGIN = 56.0
CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN  # 483, the content width of the specification
BODY_BOTTOM = PAGE_HEIGHT - 76.0  # end of the body, above the footer

TOLERANCE = 0.001
"""Lengths that differ by less are equal, so that rounding errors do not move a line to the next page."""

MAX_PAGES = 2_000
"""Maximum pages of a document, an uploaded PDF, and all documents of a session together."""


@dataclass(frozen=True, slots=True)
class Region:
    """The space available to a block on the current page."""

    width: float
    height: float

    def holds(self, height: float) -> bool:
        return height <= self.height + TOLERANCE


class Rect(NamedTuple):
    """A rectangle, by its top left corner and size."""

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

    def grown(self, by: float) -> "Rect":
        """Returns the rectangle with `by` points more on each side."""
        return Rect(self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by)

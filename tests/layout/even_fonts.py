"""Letters as wide as the font size, so that geometry can be worked out in the head, and the items of frames."""

from collections.abc import Mapping
from typing import Any

from layout.blocks.block import Block, Nothing, Part, Whole
from layout.frames import Frame, Placed, Text
from layout.geometry import Region
from layout.text.fonts import Face, FontMetrics, Han, TextStyle
from layout.theme_styles import INK


class _Even(dict[str, int]):
    def __init__(self, after: int = 0) -> None:
        self._after = after

    def __missing__(self, word: str) -> int:
        return 1000 * (len(word) + self._after)


class EvenFonts:
    """A character of a text of 10 points is 10 points wide and stands 8 points above and 2 below its baseline."""

    ascent = 800
    descent = 200
    shapes = False
    draws = True
    han = Han.SIMPLIFIED
    language = None

    def words(self, face: Face) -> Mapping[str, int]:
        return _Even()

    def steps(self, face: Face) -> Mapping[str, int]:
        return _Even(after=1)


EVEN: FontMetrics = EvenFonts()
TEN = TextStyle(Face.REGULAR, 10, 10, INK)
"""Ten points a character, ten points a line, the baseline 8 points below the top of its line."""


def fit(block: Block, height: float = 600, width: float = 100) -> Whole | Part | Nothing:
    return block.fit(Region(width, height), EVEN)


def whole(block: Block, width: float = 100, height: float = 600) -> Frame:
    found = fit(block, height, width)
    assert isinstance(found, Whole)
    return found.frame


def part(block: Block, height: float) -> tuple[Frame, Frame]:
    """The part of a block that fits into `height` points, and the rest of it, which fits on one page."""
    found = fit(block, height)
    assert isinstance(found, Part)
    return found.frame, whole(found.rest)


def items_of(frame: Frame, kind: type[Any]) -> list[Any]:
    return [item for item in frame.items if isinstance(item, kind)]


def texts_of(frame: Frame) -> list[str]:
    return [item.text for item in items_of(frame, Text)]


def placed(frame: Frame) -> list[Placed]:
    return items_of(frame, Placed)

"""Letters that are all as wide as the font size, so that geometry can be worked out in the head."""

from collections.abc import Mapping

from layout.schema.theme import INK
from layout.text.fonts import Face, FontMetrics, Han, TextStyle


class _Even(dict[str, int]):
    def __missing__(self, word: str) -> int:
        return 1000 * len(word)


class _EvenSteps(dict[str, int]):
    def __missing__(self, word: str) -> int:
        return 1000 * (len(word) + 1)


class EvenFonts:
    """A character of a text of 10 points is 10 points wide and stands 8 points above and 2 below its baseline."""

    ascent = 800
    descent = 200
    shapes = False
    draws = True
    han = Han.SIMPLIFIED

    def words(self, face: Face) -> Mapping[str, int]:
        return _Even()

    def steps(self, face: Face) -> Mapping[str, int]:
        return _EvenSteps()


EVEN: FontMetrics = EvenFonts()
TEN = TextStyle(Face.REGULAR, 10, 10, INK)
"""Ten points a character, ten points a line, the baseline 8 points below the top of its line."""

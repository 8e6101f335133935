"""Breaking text into lines. No character is lost or doubled: the lines joined give the text back."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add

from layout.fonts import FontMetrics, TextStyle
from layout.geometry import TOLERANCE

_AFTER = re.compile(r"(?<=[-–—/\\.,;:?!&=_@])")
"""Where a word that is too long for a line is broken by preference: after such a character."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `text` keeps the space it was broken at, so that copied text has its spaces; `width`, in points, does
    not count it. `ends_paragraph` is true where the text itself has a line break or ends.
    """

    text: str
    width: float
    ends_paragraph: bool


def wrap(text: str, style: TextStyle, width: float, fonts: FontMetrics) -> tuple[Line, ...]:
    """`text` in lines of at most `width` points; a newline is a line break. At least one line, which may be empty."""
    setter = _Setter(fonts.words(style.face), width, style.size / 1000)
    return tuple(line for paragraph in text.split("\n") for line in setter.lines(paragraph))


def width_of(text: str, style: TextStyle, fonts: FontMetrics) -> float:
    """The width of `text` on one line, in points."""
    words = fonts.words(style.face)
    pieces = text.split(" ")
    return (sum(map(words.__getitem__, pieces)) + words[" "] * (len(pieces) - 1)) * style.size / 1000


class _Setter:
    """Sets paragraphs at one size into lines of one width. Lengths inside are whole units of the font: no rounding."""

    def __init__(self, widths: Mapping[str, int], width: float, scale: float) -> None:
        self._widths = widths
        self._room = (width + TOLERANCE) / scale
        self._scale = scale
        self._space = widths[" "]

    def lines(self, paragraph: str) -> Iterator[Line]:
        words = paragraph.split(" ")
        widths = list(map(self._widths.__getitem__, words))
        spaces = [self._space] * len(words)
        between = " "
        if max(widths) > self._room:
            words, widths, spaces = self._broken(words, widths)
            words = [word + " " if space else word for word, space in zip(words[:-1], spaces, strict=False)] + words[
                -1:
            ]
            between = ""
        # where each word starts if all of them stood on one line
        starts = [*accumulate(map(add, widths, spaces), initial=0)]
        first, count = 0, len(words)
        while first < count:
            limit = starts[first] + self._room
            last = bisect_right(starts, limit, first + 1) - 1  # words before this one fit with their spaces,
            if last < count and starts[last] + widths[last] <= limit:
                last += 1  # and this one too, without its space
            last = max(last, first + 1)  # at least one word a line: this loop ends
            while last < count and not widths[last]:
                last += 1  # more spaces hang at the end of the line instead of indenting the next
            text = between.join(words[first:last])
            if last < count:
                text += between
            hanging = len(text) - len(text.rstrip(" ")) + (last == count)
            width = starts[last] - starts[first] - hanging * self._space
            yield Line(text, max(width, 0) * self._scale, last == count)
            first = last

    def _broken(self, words: Sequence[str], widths: Sequence[int]) -> tuple[list[str], list[int], list[int]]:
        """The words with the too long ones in pieces that fit; between pieces there is no space."""
        pieces: list[str] = []
        spaces: list[int] = []
        for word, width in zip(words, widths, strict=True):
            parts = list(self._pieces(word)) if width > self._room else [word]
            pieces += parts
            spaces += [0] * (len(parts) - 1) + [self._space]
        return pieces, [self._widths[piece] for piece in pieces], spaces

    def _pieces(self, word: str) -> Iterator[str]:
        """Each piece but the last ends after punctuation or is as long as fits; every piece has a character."""
        for part in _AFTER.split(word):
            if self._widths[part] <= self._room:
                yield part
                continue
            ends = list(accumulate(self._widths[character] for character in part))
            first, before = 0, 0
            while first < len(part):
                last = max(bisect_right(ends, before + self._room), first + 1)
                yield part[first:last]
                first, before = last, ends[last - 1]

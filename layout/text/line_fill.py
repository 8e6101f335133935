"""Filling lines: which words go onto which line. The first way to set text and the second share it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add

AFTER = re.compile(r"(?<=[-–—/\\.,;:?!&=_@])")
"""Where a word that is too long for a line is broken by preference: after such a character."""


def fill(widths: Sequence[int], spaces: Sequence[int], room: float) -> Iterator[tuple[int, int, int]]:
    """Of each line the first word, the one after its last, and its width with all its spaces. `spaces` is the room
    after each word, which a word at the end of a line does not need.
    """
    # where each word starts if all of them stood on one line
    starts = [*accumulate(map(add, widths, spaces), initial=0)]
    first, count = 0, len(widths)
    while first < count:
        limit = starts[first] + room
        last = bisect_right(starts, limit, first + 1) - 1  # words before this one fit with their spaces,
        if last < count and starts[last] + widths[last] <= limit:
            last += 1  # and this one too, without its space
        last = max(last, first + 1)  # at least one word a line: this loop ends
        while last < count and not widths[last]:
            last += 1  # more spaces hang at the end of the line instead of indenting the next
        yield first, last, starts[last] - starts[first]
        first = last

"""The positions where a line of text may end (UAX 14, by ICU), and the greedy filling of lines.

`layout.text.wrap_text` breaks texts into lines.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add

from layout.text.unicode_properties import boundaries

AFTER = re.compile(r"(?<=[-–—/\\.,;:?!&=_@])")
"""Preferred positions to break a word that is too long for a line: after these characters."""


def line_ends(text: str, language: str | None = None) -> list[int]:
    """Returns the positions where a line of `text` may end, the end of the text included.

    `language` is a BCP 47 tag. Japanese and Chinese have rules of their own.
    """
    return boundaries("createLineInstance", text, language)


def fill(widths: Sequence[int], spaces: Sequence[int], room: float) -> Iterator[tuple[int, int, int]]:
    """Fills lines greedily. Yields for each line its first word, the word after its last, and its width with spaces.

    `spaces` has the space after each word, which may exceed the line at its end.
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

"""Lines of shaped text: broken by Unicode's rules between grapheme clusters, with runs in visual order."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from layout.text.bidi import levels_of, visual_order
from layout.text.fonts import Face, Han
from layout.text.glyph_runs import SPACES, Run, Shaped, Shaper, divided
from layout.text.line_breaks import AFTER, fill, line_ends
from layout.text.unicode_properties import cluster_ends


@dataclass(slots=True, eq=False)  # not frozen, which takes three times as long to create
class Glyphs:
    """The glyph runs of a line in reading order, each with its offset from the line's position.

    Offsets are in thousandths of the font size. They are negative for spaces at the end of a right-to-left line.
    """

    runs: tuple[tuple[int, Run], ...]
    backwards: bool
    is_plain: bool = False  # the glyphs of a plain text in several faces, which stand at their advances
    starts: Sequence[int] = ()  # where the text of each run begins, once a part was asked for

    def part(self, first: int, last: int) -> tuple[int, int, "Glyphs"]:
        """Returns offset, width and glyphs of the characters from `first` up to `last`."""
        if not self.starts:
            self.starts = [*accumulate((len(run.text) for _, run in self.runs), initial=0)]
        parts: list[tuple[int, Run]] = []
        at = max(bisect_right(self.starts, first) - 1, 0)
        for start, (x, run) in zip(self.starts[at:], self.runs[at:], strict=False):
            if start >= last:
                break
            begin, end = max(first - start, 0), min(last - start, len(run.text))
            if (begin, end) == (0, len(run.text)):
                parts.append((x, run))
            elif begin < end:
                shown, _ = divided(run, end)  # first: a glyph may begin with an invisible character before `begin`
                head, shown = divided(shown, begin)
                left = x + run.width - head.width - shown.width if run.level % 2 else x + head.width
                parts.append((left, shown))
        left = min((x for x, _ in parts), default=0)
        right = max((x + run.width for x, run in parts), default=0)
        return left, right - left, Glyphs(tuple((x - left, run) for x, run in parts), self.backwards, self.is_plain)


class ShapedLine(NamedTuple):
    """A line of shaped text. `extent`, in thousandths, includes the spaces at its end; `width` excludes them."""

    text: str
    width: int
    extent: int
    glyphs: Glyphs


_NOTHING = Shaped(0, 0, ())


class LineShaper:
    """Shapes texts in one face into lines. `language` is that of the rules for line breaks, None for general ones."""

    def __init__(self, face: Face, han: Han, language: str | None = None) -> None:
        self.language = language
        self.shaper = _shaper(face, han)
        self._spaces: dict[bool, Run] = {}

    def lines(self, text: str, room: float) -> tuple[ShapedLine, ...]:
        """Breaks `text`, which has no newline, into lines of at most `room` thousandths; returns at least one."""
        return _lines(self, text, room)

    def line(self, text: str) -> ShapedLine:
        return _lines(self, text, float("inf"))[0]

    def ended(self, glyphs: Glyphs) -> Glyphs:
        """Appends a space to a line, for its line break."""
        backwards, runs = glyphs.backwards, glyphs.runs
        space = self._spaces.get(backwards)
        if space is None:
            (space,) = self.shaper[" ", bytes([backwards])].runs
            self._spaces[backwards] = space
        if backwards:
            x = min([x for x, _ in runs], default=0) - space.width
        elif len(runs) == 1:
            ((x, run),) = runs
            x += run.width
        else:
            x = max([x + run.width for x, run in runs], default=0)
        return Glyphs((*runs, (x, space)), backwards, glyphs.is_plain)


@lru_cache(maxsize=128)
def _lines(line_shaper: LineShaper, text: str, room: float) -> tuple[ShapedLine, ...]:
    return tuple(Paragraph(line_shaper.shaper, text, line_shaper.language).lines(room))


@cache
def line_shaper(face: Face, han: Han, language: str | None = None) -> LineShaper:
    return LineShaper(face, han, language)


@cache
def _shaper(face: Face, han: Han) -> Shaper:
    return Shaper(face, han)


class Paragraph:
    """A text between two newlines. Its pieces lie between the positions where a line may break."""

    def __init__(self, shaper: Shaper, text: str, language: str | None) -> None:
        self._text = text
        self._language = language
        self._shaper = shaper
        self._base, self._levels = levels_of(text)
        self._tried: dict[tuple[int, int], Shaped] = {}
        """Parts of a piece that is too long. Most of them are tried, and then taken."""

    def lines(self, room: float) -> Iterator[ShapedLine]:
        ends = self._line_ends()
        pieces = self._pieces(ends)
        width = sum([piece.width + piece.gap for piece in pieces])
        if pieces and width <= room and self._text[-1] not in SPACES:  # one line, as most short texts are
            placed = _placed([run for piece in pieces for run in piece.runs], 0)
            yield ShapedLine(self._text, width, width, self._glyphs(placed))
            return
        if max((piece.width for piece in pieces), default=0) > room:
            ends = list(self._cut(ends, pieces, room))
            pieces = [self._shaped(start, end) for start, end in zip([0, *ends], ends, strict=False)]
        starts = [0, *ends]
        widths, gaps, runs = zip(*pieces, strict=True) if pieces else ((), (), ())
        for first, last, extent in fill(widths, gaps, room):
            before = chain.from_iterable(runs[first : last - 1])
            yield self._line((starts[first], starts[last - 1], ends[last - 1]), before, extent - gaps[last - 1])
        if not ends:
            yield ShapedLine("", 0, 0, Glyphs((), backwards=False))

    def _line(self, places: tuple[int, int, int], runs: Iterable[Run], width: int) -> ShapedLine:
        """Builds a line from `places` (its start, that of its last piece, its end) and the runs of all other pieces."""
        start, last, end = places
        text = self._text[start:end]
        seen = max(start + len(text.rstrip(SPACES)), last)
        # rule L1 of UAX 9: spaces at the end of a line run as the paragraph does
        hanging = self._shape(seen, end, bytes([self._base]) * (end - seen)) if seen < end else _NOTHING
        placed = _placed([*runs, *self._shaped(last, seen).runs, *hanging.runs], -hanging.gap * (self._base % 2))
        return ShapedLine(text, width, width + hanging.gap, self._glyphs(placed))

    def _line_ends(self) -> list[int]:
        return line_ends(self._text, self._language)

    def _glyphs(self, placed: tuple[tuple[int, Run], ...]) -> Glyphs:
        return Glyphs(placed, self._base % 2 == 1)

    def _shape(self, start: int, end: int, levels: bytes) -> Shaped:
        """Returns the characters from `start` up to `end` with these levels."""
        return self._shaper[self._text[start:end], levels]

    def _pieces(self, ends: Sequence[int]) -> list[Shaped]:
        text, levels = self._text, self._levels
        if len(ends) == 1:
            return [self._shaper[text, levels]]
        starts = [0, *ends]
        keys = ((text[start:end], levels[start:end]) for start, end in zip(starts, ends, strict=False))
        return list(map(self._shaper.__getitem__, keys))

    def _shaped(self, start: int, end: int) -> Shaped:
        shaped = self._tried.get((start, end))
        if shaped is None:
            shaped = self._tried[start, end] = self._shape(start, end, self._levels[start:end])
        return shaped

    def _cut(self, ends: Sequence[int], pieces: Sequence[Shaped], room: float) -> Iterator[int]:
        """Yields `ends`, and further ends in pieces that are too long: after punctuation or between clusters."""
        for start, end, piece in zip([0, *ends], ends, pieces, strict=False):
            if piece.width > room:
                seen = start + len(self._text[start:end].rstrip(SPACES))
                yield from (more for more in self._more_ends(start, seen, room) if more < seen)
            yield end

    def _more_ends(self, start: int, end: int, room: float) -> Iterator[int]:
        for part in AFTER.split(self._text[start:end]):
            after = start + len(part)
            if self._shaped(start, after).width <= room:
                yield after
            else:
                yield from self._ends_within(start, [start + at for at in cluster_ends(part)], room)
            start = after

    def _ends_within(self, start: int, ends: Sequence[int], room: float) -> Iterator[int]:
        """Yields those of `ends` that give lines as long as fit, beginning at `start`.

        A cluster that is wider than a line, which untrusted texts can have, is broken between its characters.
        """

        def is_within(last: int) -> bool:
            return self._shaped(start, ends[last - 1]).width <= room

        begin, count = start, len(ends)
        places = self._shaped(begin, ends[-1]).places()
        first = 0
        while first < count:
            # a part may be wider or narrower when shaped separately than within the word, so the estimate is checked
            before = places[start - begin]
            last = max(bisect_right(ends, before + room, first, key=lambda end: places[end - begin]), first + 1)
            while last < count and is_within(last + 1):
                last += 1
            while last > first + 1 and not is_within(last):
                last -= 1
            if last == first + 1 and ends[first] > start + 1 and not is_within(last):
                yield from self._ends_within(start, range(start + 1, ends[first] + 1), room)
            else:
                yield ends[last - 1]
            first, start = last, ends[last - 1]


def _placed(runs: Sequence[Run], left: int) -> tuple[tuple[int, Run], ...]:
    """Returns `runs` in reading order, each with its visual offset from `left`."""
    if len(runs) == 1:
        return ((left, runs[0]),)
    widths = [run.width for run in runs]
    levels = {run.level for run in runs}
    if len(levels) < 2:
        ends = accumulate(widths, initial=0)
        if any(level % 2 for level in levels):
            right = left + sum(widths)
            next(ends)
            return tuple(zip((right - end for end in ends), runs, strict=True))
        return tuple(zip((left + end for end in ends), runs, strict=False))
    begins = [0] * len(runs)
    for at in visual_order([run.level for run in runs]):
        begins[at] = left
        left += widths[at]
    return tuple(zip(begins, runs, strict=True))

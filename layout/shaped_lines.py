"""Lines of text that has to be shaped: broken by Unicode's rules, each part in its direction, glyphs in order of place.

No character is lost or doubled, and no cluster is cut.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

from layout.filling import AFTER, fill
from layout.fonts import Face, Han
from layout.shaping import Run, Shaper
from layout.unicode_rules import cluster_ends, levels_of, line_ends

_SPACES = " \u3000"


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """The glyphs of a line in the order it is read, each run with how far right of the line's place it begins, in
    thousandths of the size: less than nothing for the spaces that stick out where a line from right to left ends.
    """

    runs: tuple[tuple[int, Run], ...]
    backwards: bool

    def part(self, first: int, last: int) -> tuple[int, int, "Glyphs"]:
        """Characters `first` up to `last`: how far right of the line's place they begin, their width, and their glyphs
        from there.
        """
        found: list[tuple[int, Run]] = []
        start = 0
        for x, run in self.runs:
            begin, end = max(first - start, 0), min(last - start, len(run.text))
            start += len(run.text)
            if begin < end:
                head, shown = run.divided(begin)
                shown, _ = shown.divided(end - begin)
                at = x + run.width - head.width - shown.width if run.level % 2 else x + head.width
                found.append((at, shown))
        left = min((x for x, _ in found), default=0)
        right = max((x + run.width for x, run in found), default=0)
        return left, right - left, Glyphs(tuple((x - left, run) for x, run in found), self.backwards)


@dataclass(frozen=True, slots=True)
class ShapedLine:
    """A part of a text on one line. `extent`, in thousandths, counts the spaces it was broken at, `width` does not."""

    text: str
    width: int
    extent: int
    glyphs: Glyphs


@dataclass(frozen=True, slots=True)
class _Piece:
    """What lies between two places where a line may end: something to read, and the spaces after it."""

    start: int
    text: str
    spaces: str


@dataclass(frozen=True, slots=True)
class Setter:
    """Sets texts in one face."""

    face: Face
    han: Han

    def lines(self, text: str, room: float) -> tuple[ShapedLine, ...]:
        """`text`, which has no line break, in lines of at most `room` thousandths; at least one."""
        return _lines(self, text, room)

    def line(self, text: str) -> ShapedLine:
        """All of `text` on one line."""
        (line,) = _lines(self, text, float("inf"))
        return line

    def ended(self, glyphs: Glyphs) -> Glyphs:
        """A line with one more space at its end, for its line break."""
        (space,), width = _shaper(self.face, self.han).shape(" ", (int(glyphs.backwards),))
        if glyphs.backwards:
            x = min((x for x, _ in glyphs.runs), default=0) - width
        else:
            x = max((x + run.width for x, run in glyphs.runs), default=0)
        return Glyphs((*glyphs.runs, (x, space)), glyphs.backwards)


@lru_cache(maxsize=512)
def _lines(setter: Setter, text: str, room: float) -> tuple[ShapedLine, ...]:
    return tuple(_Paragraph(setter, text).lines(room))


@cache
def _shaper(face: Face, han: Han) -> Shaper:
    return Shaper(face, han)


class _Paragraph:
    """A text between two line breaks while it is set."""

    def __init__(self, setter: Setter, text: str) -> None:
        self._text = text
        self._shape = _shaper(setter.face, setter.han).shape
        self._base, self._levels = levels_of(text)

    def lines(self, room: float) -> Iterator[ShapedLine]:
        pieces = list(_pieces(self._text))
        widths = [self._width(piece) for piece in pieces]
        if max(widths, default=0) > room:
            cut = (self._cut(piece, width, room) for piece, width in zip(pieces, widths, strict=True))
            pieces = [part for parts in cut for part in parts]
            widths = [self._width(piece) for piece in pieces]
        spaces = [self._shape(piece.spaces, bytes(len(piece.spaces)))[1] for piece in pieces]
        for first, last, extent in fill(widths, spaces, room):
            yield self._line(pieces[first:last], extent)
        if not pieces:
            yield ShapedLine("", 0, 0, Glyphs((), backwards=False))

    def _line(self, pieces: Sequence[_Piece], extent: int) -> ShapedLine:
        runs: list[Run] = []
        for piece in pieces:
            runs += self._runs(piece.start, piece.text)
            if piece.spaces and piece is not pieces[-1]:
                runs += self._runs(piece.start + len(piece.text), piece.spaces)
        # rule L1 of UAX 9: spaces at the end of a line run as the paragraph does
        spaces = pieces[-1].spaces
        hanging, room = self._shape(spaces, bytes([self._base]) * len(spaces))
        text = "".join(piece.text + piece.spaces for piece in pieces)
        backwards = self._base % 2 == 1
        runs += hanging
        return ShapedLine(text, extent - room, extent, Glyphs(_placed(runs, -room if backwards else 0), backwards))

    def _width(self, piece: _Piece) -> int:
        return self._measure(piece.start, piece.text)

    def _measure(self, start: int, text: str) -> int:
        return self._shape(text, self._levels[start : start + len(text)])[1]

    def _runs(self, start: int, text: str) -> tuple[Run, ...]:
        return self._shape(text, self._levels[start : start + len(text)])[0]

    def _cut(self, piece: _Piece, width: int, room: float) -> Iterator[_Piece]:
        """A piece that is too long for a line in parts that fit, cut after punctuation or between clusters."""
        if width <= room:
            yield piece
            return
        parts = list(self._parts(piece.start, piece.text, room))
        start = piece.start
        for part in parts[:-1]:
            yield _Piece(start, part, "")
            start += len(part)
        yield _Piece(start, parts[-1], piece.spaces)

    def _parts(self, start: int, text: str, room: float) -> Iterator[str]:
        for part in AFTER.split(text):
            rest, at = part, start
            while self._measure(at, rest) > room:
                ends = cluster_ends(rest)
                # shaped by itself a part may be wider than within the word: so the guess is looked at again
                count = max(bisect_right(ends, room, key=lambda end: self._measure(at, rest[:end])), 1)
                while count > 1 and self._measure(at, rest[: ends[count - 1]]) > room:
                    count -= 1
                if count == len(ends):
                    break
                yield rest[: ends[count - 1]]
                at, rest = at + ends[count - 1], rest[ends[count - 1] :]
            if rest:
                yield rest
            start += len(part)


def _pieces(text: str) -> Iterator[_Piece]:
    start = 0
    for end in line_ends(text):
        whole = text[start:end]
        seen = whole.rstrip(_SPACES)
        yield _Piece(start, seen, whole[len(seen) :])
        start = end


def _placed(runs: Sequence[Run], left: int) -> tuple[tuple[int, Run], ...]:
    """`runs`, which stay in the order they are read, each with where it begins from `left` on."""
    levels = [run.level for run in runs]
    if not any(levels):
        return tuple(zip(accumulate((run.width for run in runs), initial=left), runs, strict=False))
    begins = [0] * len(runs)
    for at in _from_left(levels):
        begins[at] = left
        left += runs[at].width
    return tuple(zip(begins, runs, strict=True))


def _from_left(levels: Sequence[int]) -> Sequence[int]:
    """Rule L2 of UAX 9: from the highest level down, what is at least at that level turns round."""
    order = list(range(len(levels)))
    for level in range(max(levels), 0, -1):
        begin = 0
        for at in range(len(order) + 1):
            if at == len(order) or levels[order[at]] < level:
                order[begin:at] = order[begin:at][::-1]
                begin = at + 1
    return order

"""Line breaks of texts. No character is lost or repeated: joined, the lines are the text.

Plain text breaks at spaces, here. Other text breaks in `layout.text.shaped_lines`, at the positions that
`layout.text.line_breaks` returns.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from layout.geometry import TOLERANCE
from layout.text.characters import is_plain
from layout.text.fonts import Face, FontMetrics, TextStyle
from layout.text.line_breaks import AFTER, fill
from layout.text.mixed_lines import mixed_lines
from layout.text.shaped_lines import Glyphs, LineShaper, ShapedLine, line_shaper
from layout.text.spans import FaceEnds, Span, faces_of, faces_within
from layout.text.unicode_properties import cluster_ends

_MAX_TRIED = 400  # characters that are measured; more never fit on a line


class Line(NamedTuple):
    """A line of text.

    `text` includes the space at which it was broken; `width`, in points, excludes it. `ends_paragraph` is true at a
    newline and at the end of the text. `glyphs` is None if the text is plain.
    """

    text: str
    width: float
    ends_paragraph: bool
    glyphs: Glyphs | None = None

    @property
    def backwards(self) -> bool:
        """Whether the line reads from right to left, as its paragraph does."""
        return self.glyphs is not None and self.glyphs.backwards


def wrap(text: str, style: TextStyle, width: float, fonts: FontMetrics, spans: Sequence[Span] = ()) -> tuple[Line, ...]:
    """Breaks `text` into lines of at most `width` points, and at newlines. Returns at least one line.

    Its `spans` may have other faces than `style`, which take effect if `fonts` shape.
    """
    faces = faces_of(len(text), spans, style.face) if spans and fonts.shapes else ()
    if faces:
        return tuple(_mixed(text, faces, style, width, fonts))
    breaker = _LineBreaker(style.face, width, style.size / 1000, fonts)
    if not fonts.shapes or is_plain(text):
        if "\n" not in text:
            return tuple(breaker.lines(text))
        return tuple(line for paragraph in text.split("\n") for line in breaker.lines(paragraph))
    shaper, scale = shaper_of(style, fonts), style.size / 1000
    return tuple(
        line
        for paragraph in text.split("\n")
        for line in (breaker.lines(paragraph) if is_plain(paragraph) else _shaped(paragraph, shaper, width, scale))
    )


def width_of(text: str, style: TextStyle, fonts: FontMetrics) -> float:
    """Returns the width of `text` on one line, in points."""
    if fonts.shapes and not is_plain(text):
        return shaper_of(style, fonts).line(text).extent * style.size / 1000
    words = fonts.words(style.face)
    pieces = text.split(" ")
    return (sum(map(words.__getitem__, pieces)) + words[" "] * (len(pieces) - 1)) * style.size / 1000


def shortened(text: str, end: str, style: TextStyle, width: float, fonts: FontMetrics) -> str:
    """Returns `text` and `end`, shortened with an ellipsis between grapheme clusters to fit into `width` points."""
    if len(text) <= _MAX_TRIED and width_of(text + end, style, fonts) <= width:
        return text + end
    text = text[:_MAX_TRIED]
    ends = cluster_ends(text)[:-1]
    fitting = bisect_right(ends, width, key=lambda at: width_of(f"{text[:at]}…{end}", style, fonts))
    return f"{text[: ends[fitting - 1]].rstrip() if fitting else ''}…{end}"


def shaper_of(style: TextStyle, fonts: FontMetrics) -> LineShaper:
    return line_shaper(style.face, fonts.han, fonts.language)


def _shaped(paragraph: str, shaper: LineShaper, width: float, scale: float) -> Iterator[Line]:
    return _scaled(shaper.lines(paragraph, (width + TOLERANCE) / scale), scale)


def _mixed(text: str, faces: FaceEnds, style: TextStyle, width: float, fonts: FontMetrics) -> Iterator[Line]:
    scale, start = style.size / 1000, 0
    for paragraph in text.split("\n"):
        end = start + len(paragraph)
        within = faces_within(faces, start, end)
        if all(face is style.face for _, face in within):
            yield from wrap(paragraph, style, width, fonts)
        else:
            lines = mixed_lines(paragraph, within, (fonts.han, fonts.language), (width + TOLERANCE) / scale)
            yield from _scaled(lines, scale)
        start = end + 1


def _scaled(lines: Sequence[ShapedLine], scale: float) -> Iterator[Line]:
    for number, line in enumerate(lines, start=1):
        yield Line(line.text, line.width * scale, number == len(lines), line.glyphs)


class _LineBreaker:
    """Breaks plain paragraphs into lines of one width. Lengths are integers in font units, without rounding."""

    def __init__(self, face: Face, width: float, scale: float, fonts: FontMetrics) -> None:
        self._widths = fonts.words(face)
        self._steps = fonts.steps(face)
        self._room = (width + TOLERANCE) / scale
        self._scale = scale
        self._space = self._widths[" "]

    def lines(self, paragraph: str) -> list[Line]:
        words, space, scale = paragraph.split(" "), self._space, self._scale
        # where each word starts if all of them stood on one line, every one with a space after it
        starts = [0, *accumulate(map(self._steps.__getitem__, words))]
        room, count, lines = self._room + space, len(words), []
        loose = "  " in paragraph or paragraph[-1:] == " "
        first = 0
        while first < count:
            start = starts[first]
            # a word fits if it ends within the room, a space before the next one starts; at least one word a line
            last = ends = bisect_right(starts, start + room, first + 2) - 1
            if last == first + 1 and starts[last] - start > room:
                return self._with_pieces(words)
            if loose:  # more spaces hang at the end of the line instead of indenting the next
                last = next((at for at in range(last, count) if words[at]), count)
                ends = next((at for at in range(last, first + 1, -1) if words[at - 1]), first + 1)
            text, width = " ".join(words[first:last]), (starts[ends] - start - space) * scale
            lines.append(Line(text, width, True) if last == count else Line(text + " ", width, False))
            first = last
        return lines

    def _with_pieces(self, words: Sequence[str]) -> list[Line]:
        """Breaks words of which some are wider than a line."""
        words, widths, spaces = self._broken(words, [self._widths[word] for word in words])
        words = [word + " " if space else word for word, space in zip(words[:-1], spaces, strict=False)] + words[-1:]
        lines, count = [], len(words)
        for first, last, extent in fill(widths, spaces, self._room):
            text = "".join(words[first:last])
            hanging = len(text) - len(text.rstrip(" ")) + (last == count)
            lines.append(Line(text, max(extent - hanging * self._space, 0) * self._scale, last == count))
        return lines

    def _broken(self, words: Sequence[str], widths: Sequence[int]) -> tuple[list[str], list[int], list[int]]:
        """Returns words, widths and spaces, with words that are too long split into pieces."""
        pieces: list[str] = []
        spaces: list[int] = []
        for word, width in zip(words, widths, strict=True):
            parts = list(self._pieces(word)) if width > self._room else [word]
            pieces += parts
            spaces += [0] * (len(parts) - 1) + [self._space]
        return pieces, [self._widths[piece] for piece in pieces], spaces

    def _pieces(self, word: str) -> Iterator[str]:
        """Yields pieces that end after punctuation or are as long as fits; each has at least one character."""
        for part in AFTER.split(word):
            if self._widths[part] <= self._room:
                yield part
                continue
            ends = list(accumulate(self._widths[character] for character in part))
            first, before = 0, 0
            while first < len(part):
                last = max(bisect_right(ends, before + self._room), first + 1)
                yield part[first:last]
                first, before = last, ends[last - 1]

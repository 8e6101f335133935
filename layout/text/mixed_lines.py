"""Lines of texts in several faces. They break as a text in one face does: at the same places, by the same rules.

Plain text stays plain: its letters stand side by side at their advances, as in `layout.text.wrap_text`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from layout.text.bidi import levels_of
from layout.text.characters import is_plain
from layout.text.font_fallback import fallback_fonts
from layout.text.fonts import Face, Han
from layout.text.glyph_runs import Glyph, Run, Shaped, Shaper
from layout.text.shaped_lines import Glyphs, Paragraph, ShapedLine
from layout.text.spans import FaceEnds

_SPACES = re.compile(" +")


@lru_cache(maxsize=128)
def mixed_lines(text: str, faces: FaceEnds, variant: tuple[Han, str | None], room: float) -> tuple[ShapedLine, ...]:
    """Breaks `text`, which has no newline, into lines of at most `room` thousandths; returns at least one.

    `variant` has the regional variant of ideographs, and the language of the rules for line breaks.
    """
    kind = _PlainParagraph if is_plain(text) else _MixedParagraph
    return tuple(kind(text, faces, *variant).lines(room))


class _MixedParagraph(Paragraph):
    """A shaped text. A piece is shaped face by face."""

    def __init__(self, text: str, faces: FaceEnds, han: Han, language: str | None) -> None:
        self._text = text
        self._language = language
        self._base, self._levels = levels_of(text)
        self._tried = {}
        self._ends = [end for end, _ in faces]
        self._shapers = [self._shaper_of(face, han) for _, face in faces]

    @staticmethod
    def _shaper_of(face: Face, han: Han) -> Shaper:
        return _shaper(face, han)

    def _pieces(self, ends: Sequence[int]) -> list[Shaped]:
        return [self._shaped(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    def _shape(self, start: int, end: int, levels: bytes) -> Shaped:
        parts: list[Shaped] = []
        first, at = start, bisect_right(self._ends, start)
        while first < end:
            last = min(self._ends[at], end)
            parts.append(self._shapers[at][self._text[first:last], levels[first - start : last - start]])
            first, at = last, at + 1
        return parts[0] if len(parts) == 1 else _joined(parts)


class _PlainParagraph(_MixedParagraph):
    """A plain text, which breaks at spaces."""

    @staticmethod
    def _shaper_of(face: Face, han: Han) -> Shaper:
        return _plain_shaper(face, han)

    def _line_ends(self) -> list[int]:
        length = len(self._text)
        return [*(found.end() for found in _SPACES.finditer(self._text) if found.end() < length), length]

    def _glyphs(self, placed: tuple[tuple[int, Run], ...]) -> Glyphs:
        return Glyphs(placed, backwards=False, is_plain=True)


class _PlainShaper(Shaper):
    """Places letters at their advances, without kerning and ligatures."""

    def __init__(self, face: Face, han: Han) -> None:
        super().__init__(face, han)
        self._variant = fallback_fonts(face, han).main

    def _shape(self, text: str, levels: bytes) -> Shaped:  # noqa: ARG002  # all levels are 0
        font, advances = self._variant.font, self._variant.advances
        numbers = [font.get_nominal_glyph(ord(character)) or 0 for character in text]
        glyphs = tuple(
            Glyph((number, character), 0, 0, advances[number], advances[number])
            for number, character in zip(numbers, text, strict=True)
        )
        width = sum(glyph.advance for glyph in glyphs)
        gap = sum(glyph.advance for glyph in glyphs[len(text.rstrip(" ")) :])
        return Shaped(width - gap, gap, (Run(text, self._variant, 0, glyphs, width),) if text else ())


def _joined(parts: Iterable[Shaped]) -> Shaped:
    width = gap = 0
    runs: tuple[Run, ...] = ()
    for part in parts:
        if part.width:
            width, gap = width + gap + part.width, part.gap
        else:
            gap += part.gap
        runs += part.runs
    return Shaped(width, gap, runs)


@cache
def _shaper(face: Face, han: Han) -> Shaper:
    return Shaper(face, han)


@cache
def _plain_shaper(face: Face, han: Han) -> Shaper:
    return _PlainShaper(face, han)

"""Faces and their metrics: all that measuring text needs, and the fonts that the engine ships.

Blocks measure through `FontMetrics`, so a test can lay out with letters of one width. Specification 2.7 (bold, muted).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from importlib import import_module
from typing import ClassVar, Protocol

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

_CACHED_WORDS = 200_000
_LONGEST_CACHED = 40


class Face(StrEnum):
    """One cut of the family. The value is its PostScript name."""

    REGULAR = "FiraGO-Regular"
    BOLD = "FiraGO-Bold"
    ITALIC = "FiraGO-Italic"


class Han(Enum):
    """Whose shapes the ideographs take that China, Japan and Korea share. The value is the face in the collection."""

    JAPANESE = 0
    KOREAN = 1
    SIMPLIFIED = 2
    TRADITIONAL = 3


class FontMetrics(Protocol):
    """Measures words. Shape: lengths in thousandths of the font size, as fonts have them."""

    @property
    def ascent(self) -> int:
        """From the baseline up to the top of the tallest letters."""

    @property
    def descent(self) -> int:
        """From the baseline down to the bottom of the deepest letters, positive."""

    @property
    def shapes(self) -> bool:
        """Whether text that is not plain is shaped; letters of one width are not."""

    @property
    def draws(self) -> bool:
        """Whether frames get their texts; if not, they are as large as ever, and nothing can be painted."""

    @property
    def han(self) -> Han:
        """Whose shapes ideographs take."""

    def words(self, face: Face) -> Mapping[str, int]:
        """The width of any word in `face`, looked up by the word."""

    def steps(self, face: Face) -> Mapping[str, int]:
        """From the begin of any word in `face` to that of the next: its width and that of a space."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text is set: face, size and leading in points, colour as red, green and blue from 0 to 1."""

    face: Face
    size: float
    leading: float
    colour: tuple[float, float, float]

    def baseline(self, fonts: FontMetrics) -> float:
        """From the top of a line to its baseline; the leading is shared evenly above and below the letters."""
        return (self.leading + (fonts.ascent - fonts.descent) * self.size / 1000) / 2


class _Advances(dict[str, int]):
    """The width of each character, asked for once; what has no glyph is as wide as a question mark."""

    def __init__(self, font: hb.Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, character: str) -> int:
        glyph = self._font.get_nominal_glyph(ord(character))
        width = self["?"] if glyph is None else int(self._font.get_glyph_h_advance(glyph))
        self[character] = width
        return width


class _Words(dict[str, int]):
    """Word widths of one face, each with `after`, kept for the life of the process and never more than a bounded
    number.
    """

    def __init__(self, advances: Mapping[str, int], after: str = "") -> None:
        super().__init__()
        self._advance = advances.__getitem__
        self._after = sum(map(self._advance, after))

    def __missing__(self, word: str) -> int:
        width = sum(map(self._advance, word), self._after)
        if len(word) <= _LONGEST_CACHED:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = width
        return width


@dataclass(frozen=True, slots=True)
class ShippedFonts:
    """FiraGO, under the SIL Open Font License, whose measures all lines have; shaped text finds its glyphs in more
    fonts (see `layout.text.font_fallback`).
    """

    han: Han = Han.SIMPLIFIED
    draws: bool = True
    shapes: bool = True

    ascent: ClassVar[int] = 935
    descent: ClassVar[int] = 265

    def words(self, face: Face) -> Mapping[str, int]:
        return _shipped_words(face)

    def steps(self, face: Face) -> Mapping[str, int]:
        return _shipped_steps(face)


@cache
def font_file(face: Face) -> bytes:
    """The TrueType file of `face`, from the package that ships it."""
    contents: bytes = import_module(f"pymupdf_fonts.{face.value.replace('-', '_')}").fontbuffer
    return bytes(contents)


@cache
def characters_of(face: Face) -> frozenset[int]:
    """The code points that `face` has glyphs for."""
    return frozenset(hb.Face(font_file(face)).unicodes)


@cache
def _shipped_words(face: Face) -> Mapping[str, int]:
    return _Words(_advances(face))


@cache
def _shipped_steps(face: Face) -> Mapping[str, int]:
    return _Words(_advances(face), after=" ")


@cache
def _advances(face: Face) -> Mapping[str, int]:
    return _Advances(hb.Font(hb.Face(font_file(face))))

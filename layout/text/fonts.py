"""Faces and their metrics, and the fonts that the engine ships.

Blocks measure with `FontMetrics`, so tests can use letters of equal width. Specification 2.7 (bold, muted).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from importlib import import_module
from typing import ClassVar, Protocol

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

_CACHED_WORDS = 200_000
_MAX_CACHED = 40


class Face(StrEnum):
    """A face of the font family. The value is its PostScript name."""

    REGULAR = "FiraGO-Regular"
    BOLD = "FiraGO-Bold"
    ITALIC = "FiraGO-Italic"
    BOLD_ITALIC = "FiraGO-BoldItalic"

    def changed(self, *, bold: bool, italic: bool) -> "Face":
        """Returns the face with these members too: bold of an italic face is bold italic."""
        is_bold = bold or self in {Face.BOLD, Face.BOLD_ITALIC}
        is_italic = italic or self in {Face.ITALIC, Face.BOLD_ITALIC}
        if is_italic:
            return Face.BOLD_ITALIC if is_bold else Face.ITALIC
        return Face.BOLD if is_bold else Face.REGULAR


class Han(Enum):
    """Regional variant of shared CJK ideographs. The value is the index of the face in the font collection."""

    JAPANESE = 0
    KOREAN = 1
    SIMPLIFIED = 2
    TRADITIONAL = 3


class FontMetrics(Protocol):
    """Measures words. All lengths are in thousandths of the font size.

    `ascent` and `descent` (positive) are the extents of the tallest and deepest letters from the baseline. `shapes`:
    text that is not plain is shaped. `draws`: frames contain their texts; otherwise they have the same sizes, but only
    for measuring. `han` is the regional variant of ideographs, `language` that of the rules for line breaks.
    """

    @property
    def ascent(self) -> int: ...

    @property
    def descent(self) -> int: ...

    @property
    def shapes(self) -> bool: ...

    @property
    def draws(self) -> bool: ...

    @property
    def han(self) -> Han: ...

    @property
    def language(self) -> str | None: ...

    def words(self, face: Face) -> Mapping[str, int]:
        """Returns a mapping from words to their widths in `face`."""

    def steps(self, face: Face) -> Mapping[str, int]:
        """Returns a mapping from words to their widths in `face`, each with a space after it."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Style of text: face, size and leading in points, colour as red, green and blue from 0 to 1."""

    face: Face
    size: float
    leading: float
    colour: tuple[float, float, float]

    def baseline(self, fonts: FontMetrics) -> float:
        """Returns the distance from the top of a line to its baseline. Leading is split evenly above and below."""
        return (self.leading + (fonts.ascent - fonts.descent) * self.size / 1000) / 2


class _Advances(dict[str, int]):
    """Cached widths of characters. A character without a glyph is as wide as a question mark."""

    def __init__(self, font: hb.Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, character: str) -> int:
        glyph = self._font.get_nominal_glyph(ord(character))
        width = self["?"] if glyph is None else int(self._font.get_glyph_h_advance(glyph))
        self[character] = width
        return width


class _Words(dict[str, int]):
    """Bounded cache of word widths in one face, each with the width of `after` added."""

    def __init__(self, advances: Mapping[str, int], after: str) -> None:
        super().__init__()
        self._advance = advances.__getitem__
        self._after = sum(map(self._advance, after))

    def __missing__(self, word: str) -> int:
        width = sum(map(self._advance, word), self._after)
        if len(word) <= _MAX_CACHED:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = width
        return width


@dataclass(frozen=True, slots=True)
class ShippedFonts:
    """FiraGO, which determines the metrics of lines. Shaped text uses further fonts (`layout.text.font_fallback`)."""

    han: Han = Han.SIMPLIFIED
    draws: bool = True
    shapes: bool = True
    language: str | None = None

    ascent: ClassVar[int] = 935
    descent: ClassVar[int] = 265

    def words(self, face: Face) -> Mapping[str, int]:
        return _words(face)

    def steps(self, face: Face) -> Mapping[str, int]:
        return _words(face, " ")


@cache
def font_file(face: Face) -> bytes:
    """Returns the TrueType file of `face`."""
    contents: bytes = import_module(f"pymupdf_fonts.{face.value.replace('-', '_')}").fontbuffer
    return bytes(contents)


@cache
def characters_of(face: Face) -> frozenset[int]:
    """Returns the code points that `face` has glyphs for."""
    return frozenset(hb.Face(font_file(face)).unicodes)


@cache
def _words(face: Face, after: str = "") -> Mapping[str, int]:
    return _Words(_advances(face), after)


@cache
def _advances(face: Face) -> Mapping[str, int]:
    return _Advances(hb.Font(hb.Face(font_file(face))))

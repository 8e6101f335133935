"""Font fallback: the font files of shaped text, in order of preference.

First FiraGO (Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Georgian), then Noto Sans for rarer letters,
CJK, other scripts and symbols, and monochrome Noto Emoji. All come with installed packages, under the SIL Open Font
License.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.fonts import Face, Han, font_file
from layout.text.unicode_properties import is_emoji

_REGULAR, _BOLD = 400, 700
_KEPT = 50_000
_LETTERS = ("NotoSans",)
_SCRIPTS = tuple(
    f"NotoSans{script}"
    for script in (
        *("Arabic", "Armenian", "Bengali", "Devanagari", "Ethiopic", "Georgian", "Gujarati", "Gurmukhi", "Hebrew"),
        *("Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai", "Symbols"),
    )
)
_STILL_MORE_SYMBOLS = ("NotoSansSymbols2", "NotoSansMath", "NotoMusic")
_EMOJI = "NotoEmoji"
_NON_JOINER = "\u200c"
EAST_ASIAN = re.compile("[\u3041-\u312f\u3400-\u9fff\uac00-\ud7a3]")
"""Kana, Bopomofo, ideographs and Hangul."""

_AS_TEXT, _AS_PICTURE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"

INVISIBLE = frozenset(
    {
        *("\u034f", "\u061c", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"),
        *map(chr, (*range(0x202A, 0x202D), *range(0x2066, 0x206A))),  # directions, but none that overrides letters
        *map(chr, (*range(0xFE00, 0xFE10), *range(0xE0020, 0xE0080), *range(0xE0100, 0xE01F0))),  # variants, tags
    }
)
"""Invisible characters that control how others are drawn; fonts need no glyph for them."""


class InkBox(NamedTuple):
    """The rectangle that holds the ink of glyphs, in thousandths of the size from the pen position. `top` is up."""

    left: int
    bottom: int
    right: int
    top: int


class InkBoxes(dict[int, InkBox | None]):
    """Boxes of ink by glyph number, read from the font when first used; None for a glyph without ink."""

    def __init__(self, font: hb.Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, glyph: int) -> InkBox | None:
        found = self._font.get_glyph_extents(glyph)
        box = None
        if found is not None and found.width and found.height:
            left, top = found.x_bearing, found.y_bearing
            box = InkBox(left, top + found.height, left + found.width, top)
        self[glyph] = box
        return box


class Advances(dict[int, int]):
    """Advance widths by glyph number, read from the font when first used."""

    def __init__(self, font: hb.Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, glyph: int) -> int:
        advance: int = self._font.get_glyph_h_advance(glyph)
        self[glyph] = advance
        return advance


@dataclass(frozen=True)
class FontVariant:
    """A font: a file, the index of the face in it, and the weight of a variable font."""

    name: str
    source: str
    index: int = 0
    weight: int | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.source))

    @cached_property
    def face(self) -> hb.Face:
        return hb.Face(_blob(self.source), self.index)

    @cached_property
    def font(self) -> hb.Font:
        """The font, with lengths in thousandths of the font size."""
        font = hb.Font(self.face)
        font.scale = (1000, 1000)
        if self.weight is not None:
            font.set_variations({"wght": self.weight})
        return font

    @cached_property
    def advances(self) -> Advances:
        return Advances(self.font)

    @cached_property
    def ink(self) -> InkBoxes:
        return InkBoxes(self.font)

    @cached_property
    def zero_width_glyph(self) -> int | None:
        """An invisible glyph without width, for text that has no glyph of its own; None if the font has none."""
        glyph: int | None = self.font.get_nominal_glyph(ord(_NON_JOINER))
        return None if glyph is None or self.font.get_glyph_h_advance(glyph) else glyph

    @cached_property
    def covers(self) -> frozenset[str]:
        """The characters that the font has glyphs for."""
        return _covered(self.source)


class FontFallback:
    """The font variants for texts in one face, in order of preference."""

    def __init__(self, face: Face, han: Han) -> None:
        bold, italic = face in {Face.BOLD, Face.BOLD_ITALIC}, face in {Face.ITALIC, Face.BOLD_ITALIC}
        self.east_asian = _cjk(han, bold=bold)
        self.all = (
            FontVariant(face.value, face.value),
            *(_noto(name, bold=bold, italic=True) for name in _LETTERS if italic),
            *(_noto(name, bold=bold) for name in _LETTERS),
            self.east_asian,
            *(_noto(name, bold=bold) for name in _SCRIPTS),
            *(FontVariant(f"{name}-Regular", f"{name}_Regular") for name in _STILL_MORE_SYMBOLS),
        )
        self.emoji = _noto(_EMOJI, bold=bold)
        self.main = self.all[0]
        self.letters = frozenset(
            character
            for character in self.main.covers
            if not is_emoji(character) and character not in INVISIBLE and character != _KEYCAP
        )
        """Characters that always use the main variant."""
        self._chosen: dict[str, FontVariant | None] = {}

    def of(self, cluster: str) -> FontVariant | None:
        """Returns the first variant with glyphs for all of `cluster`; None if there is none."""
        if cluster not in self._chosen:
            if len(self._chosen) >= _KEPT:
                self._chosen.clear()
            needed = cluster if INVISIBLE.isdisjoint(cluster) else [one for one in cluster if one not in INVISIBLE]
            pictured = _AS_PICTURE in cluster or _KEYCAP in cluster or is_emoji(cluster[0])
            order = (self.emoji, *self.all) if pictured and _AS_TEXT not in cluster else (*self.all, self.emoji)
            self._chosen[cluster] = next((variant for variant in order if variant.covers.issuperset(needed)), None)
        return self._chosen[cluster]

    def has(self, character: str) -> bool:
        return character in INVISIBLE or any(character in variant.covers for variant in (*self.all, self.emoji))


@cache
def fallback_fonts(face: Face, han: Han) -> FontFallback:
    return FontFallback(face, han)


_HAN = {"ja": Han.JAPANESE, "zh-Hans": Han.SIMPLIFIED}


def han_of(texts: Iterable[str], language: str | None = None) -> Han:
    """Returns the regional variant of ideographs in `language`, the BCP 47 tag of a document.

    For another language it is that of `texts`, by other letters or by characters of one variant only.
    """
    if language in _HAN:
        return _HAN[language]
    seen = set().union(*filter(EAST_ASIAN.search, texts))
    if any("\u3041" <= character <= "\u30ff" for character in seen):
        return Han.JAPANESE
    if any("\uac00" <= character <= "\ud7a3" for character in seen):
        return Han.KOREAN
    if any("\u3105" <= character <= "\u312f" for character in seen):
        return Han.TRADITIONAL
    ideographs = "".join(character for character in seen if "\u4e00" <= character <= "\u9fff")
    simplified, traditional = (set(ideographs.encode(codec, "ignore").decode(codec)) for codec in ("gb2312", "big5"))
    return Han.TRADITIONAL if len(traditional - simplified) > len(simplified - traditional) else Han.SIMPLIFIED


def _noto(name: str, *, bold: bool, italic: bool = False) -> FontVariant:
    weight = _BOLD if bold else _REGULAR
    style = f"{'Bold' if bold else ''}{'Italic' if italic else ''}" or "Regular"
    return FontVariant(f"{name}-{style}", f"manimgx_fonts/{name}{'-Italic' * italic}[wght].ttf", weight=weight)


def _cjk(han: Han, *, bold: bool) -> FontVariant:
    name = f"NotoSansCJK-{han.name.title()}-{'Bold' if bold else 'Regular'}"
    file = "manimgx_fonts_cjk/NotoSansCJK-VF.otf.ttc"
    return FontVariant(name, file, index=han.value, weight=_BOLD if bold else _REGULAR)


@cache
def _covered(source: str) -> frozenset[str]:
    """Returns the characters of a file, which are the same for all faces and weights in it."""
    return frozenset(map(chr, hb.Face(_blob(source)).unicodes))


@cache
def _blob(source: str) -> hb.Blob:
    """Returns a font file, memory-mapped; fonts of `pymupdf_fonts` are bytes in modules."""
    if source in set(Face):
        return hb.Blob(font_file(Face(source)))
    package, _, name = source.partition("/")
    if not name:
        return hb.Blob(bytes(import_module(f"pymupdf_fonts.{source}").fontbuffer))
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"The package {package} with the fonts is not installed: install the locked packages")
    return hb.Blob.from_file_path(str(Path(spec.origin).parent / name))

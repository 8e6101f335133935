"""Cuts: the font files that texts are shaped in, in the order in which a character looks for its glyph.

First FiraGO (Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Thai, Georgian), then Noto Sans for rarer letters, for
Chinese, Japanese and Korean, for other scripts, for symbols, and Noto Emoji in one colour. All come with packages
that the project installs, under the SIL Open Font License.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.fonts import Face, Han, font_file
from layout.text.unicode_rules import is_emoji

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
_EAST_ASIAN = re.compile("[\u3041-\u312f\u3400-\u9fff\uac00-\ud7a3]")
_AS_TEXT, _AS_PICTURE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"

INVISIBLE = frozenset(
    {
        *("\u034f", "\u061c", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"),
        *map(chr, (*range(0x202A, 0x202D), *range(0x2066, 0x206A))),  # directions, but none that overrides letters
        *map(chr, (*range(0xFE00, 0xFE10), *range(0xE0020, 0xE0080), *range(0xE0100, 0xE01F0))),  # variants, tags
    }
)
"""Characters without a mark of their own that say how others are drawn; no font needs a glyph for them."""


class Advances(dict[int, int]):
    """How wide glyphs are, by their number."""

    def __init__(self, font: hb.Font) -> None:
        super().__init__()
        self._font = font

    def __missing__(self, glyph: int) -> int:
        advance: int = self._font.get_glyph_h_advance(glyph)
        self[glyph] = advance
        return advance


@dataclass(frozen=True)
class FontVariant:
    """One font: a file, the face in it, and its weight where the file has all of them."""

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
        """Measures in thousandths of the size."""
        font = hb.Font(self.face)
        font.scale = (1000, 1000)
        if self.weight is not None:
            font.set_variations({"wght": self.weight})
        return font

    @cached_property
    def advances(self) -> "Advances":
        return Advances(self.font)

    @cached_property
    def zero_width_glyph(self) -> int | None:
        """A glyph without width, never drawn, for text that has no place of its own; None if there is none."""
        glyph: int | None = self.font.get_nominal_glyph(ord(_NON_JOINER))
        return None if glyph is None or self.font.get_glyph_h_advance(glyph) else glyph

    @property
    def covers(self) -> frozenset[str]:
        """The characters it has glyphs for."""
        return _covered(self.source)


class FontFallback:
    """The cuts that texts in one face are set in, the first choice first."""

    def __init__(self, face: Face, han: Han) -> None:
        bold = face is Face.BOLD
        self.all = (
            FontVariant(face.value, face.value),
            *(_noto(name, bold=bold) for name in _LETTERS),
            _cjk(han, bold=bold),
            *(_noto(name, bold=bold) for name in _SCRIPTS),
            *(FontVariant(f"{name}-Regular", f"{name}_Regular") for name in _STILL_MORE_SYMBOLS),
        )
        self.emoji = _noto(_EMOJI, bold=bold)
        self.main = self.all[0]
        self.letters = frozenset(filter(_is_never_a_picture, self.main.covers))
        """What is always set in the main cut."""
        self._chosen: dict[str, FontVariant | None] = {}

    def of(self, cluster: str) -> FontVariant | None:
        """The first cut that has glyphs for all of `cluster`; None if none has."""
        if cluster not in self._chosen:
            if len(self._chosen) >= _KEPT:
                self._chosen.clear()
            self._chosen[cluster] = self._search(cluster)
        return self._chosen[cluster]

    def has(self, character: str) -> bool:
        return character in INVISIBLE or any(character in variant.covers for variant in (*self.all, self.emoji))

    def _search(self, cluster: str) -> FontVariant | None:
        needed = [character for character in cluster if character not in INVISIBLE]
        pictured = _AS_PICTURE in cluster or _KEYCAP in cluster or is_emoji(cluster[0])
        order = (self.emoji, *self.all) if pictured and _AS_TEXT not in cluster else (*self.all, self.emoji)
        return next((variant for variant in order if variant.covers.issuperset(needed)), None)


@cache
def fallback_fonts(face: Face, han: Han) -> FontFallback:
    return FontFallback(face, han)


def han_of(texts: Iterable[str]) -> Han:
    """Whose ideographs `texts` are written with, told by the letters beside them, or by those that only one has."""
    seen = set().union(*filter(_EAST_ASIAN.search, texts))
    if any("\u3041" <= character <= "\u30ff" for character in seen):
        return Han.JAPANESE
    if any("\uac00" <= character <= "\ud7a3" for character in seen):
        return Han.KOREAN
    if any("\u3105" <= character <= "\u312f" for character in seen):
        return Han.TRADITIONAL
    ideographs = [character for character in seen if "\u4e00" <= character <= "\u9fff"]
    simplified = sum(_in(character, "gb2312") and not _in(character, "big5") for character in ideographs)
    traditional = sum(_in(character, "big5") and not _in(character, "gb2312") for character in ideographs)
    return Han.TRADITIONAL if traditional > simplified else Han.SIMPLIFIED


def _is_never_a_picture(character: str) -> bool:
    return not is_emoji(character) and character not in INVISIBLE and character != _KEYCAP


def _in(character: str, codec: str) -> bool:
    return bool(character.encode(codec, "ignore"))


def _noto(name: str, *, bold: bool) -> FontVariant:
    weight = _BOLD if bold else _REGULAR
    return FontVariant(f"{name}-{'Bold' if bold else 'Regular'}", f"manimgx_fonts/{name}[wght].ttf", weight=weight)


def _cjk(han: Han, *, bold: bool) -> FontVariant:
    name = f"NotoSansCJK-{han.name.title()}-{'Bold' if bold else 'Regular'}"
    file = "manimgx_fonts_cjk/NotoSansCJK-VF.otf.ttc"
    return FontVariant(name, file, index=han.value, weight=_BOLD if bold else _REGULAR)


@cache
def _covered(source: str) -> frozenset[str]:
    """The characters of a file, which all faces and weights in it share."""
    return frozenset(map(chr, hb.Face(_blob(source)).unicodes))


@cache
def _blob(source: str) -> hb.Blob:
    """The file, not read but mapped; those of `pymupdf_fonts` are bytes in modules."""
    if source in set(Face):
        return hb.Blob(font_file(Face(source)))
    package, _, name = source.partition("/")
    if not name:
        return hb.Blob(bytes(import_module(f"pymupdf_fonts.{source}").fontbuffer))
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"The package {package} with the fonts is not installed: install the locked packages")
    return hb.Blob.from_file_path(str(Path(spec.origin).parent / name))

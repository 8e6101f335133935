"""Simple fonts with a TrueType program: each code of the font shows one glyph, whichever table a reader uses.

A program may map the same character to different glyphs in several tables, and readers choose among the tables by
rules of their own (ISO 32000-2, 9.6.5.4). So all tables that a reader may choose must lead to the same outline: those
of Unicode by the character of a code, those of symbols and of Macintosh by the code itself unless the font is one of
letters with an encoding, and those of Macintosh by the character unless the font is one of symbols.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from struct import iter_unpack
from typing import Any

from fontTools.ttLib import TTFont
from pikepdf import Name, Object

from application.uploads.font_encodings import TWO_LETTERS, characters_of, codes_of
from application.uploads.pdf_limits import PdfRefused

_SYMBOLIC, _NONSYMBOLIC = 4, 32
"""Flags of a font descriptor (9.8.2)."""

_PRIVATE = (0xF000, 0xF100, 0xF200)
"""Where fonts of symbols have their codes."""

_SMALL, _GROUPS = frozenset({0, 4, 6}), 12
"""Formats of tables: those of at most 65,536 characters, and that of groups."""

_MOST_CHARACTERS = 0x20000
_LAST_OF_ASCII = 126

Glyphs = Mapping[int, str]


def check_truetype_codes(font: Object, program: bytes) -> None:
    """Raises `PdfRefused` if readers may show different glyphs for a code of the font."""
    try:
        opened = TTFont(BytesIO(program), lazy=True)
        tables = _Tables(opened)
    except PdfRefused:
        raise
    except Exception:  # noqa: BLE001  # of fontTools, on a damaged program: readers substitute, and are compared
        return
    encoding = font.get(Name.Encoding)
    chosen = None if encoding is None else characters_of(encoding)
    flags = int(font.FontDescriptor.get(Name.Flags, 0)) & (_SYMBOLIC | _NONSYMBOLIC)
    is_by_name = flags == _NONSYMBOLIC and chosen is not None
    for code in codes_of(font):
        character = chosen.get(code) if chosen is not None else chr(code) if code <= _LAST_OF_ASCII else None
        glyphs = set(tables.in_unicode(character)) if character else set()
        if not is_by_name:
            glyphs |= set(tables.by_code(code))
        if character and flags != _SYMBOLIC and not (glyphs and is_by_name):
            glyphs |= set(tables.in_macintosh(character))
        if len({tables.outline(glyph) for glyph in glyphs}) > 1:
            raise PdfRefused(TWO_LETTERS)


class _Tables:
    """The tables of an open program that map characters to glyphs, by platform."""

    def __init__(self, opened: TTFont) -> None:
        subtables = [one for one in opened["cmap"].tables if _is_small(one)] if "cmap" in opened else []
        self._unicode = [one.cmap for one in subtables if one.isUnicode()]
        self._symbols = [one.cmap for one in subtables if (one.platformID, one.platEncID) == (3, 0)]
        self._macintosh = [one.cmap for one in subtables if one.platformID == 1]
        self._places = opened.get("loca", None)
        self._data: bytes = opened.reader["glyf"] if "glyf" in opened else b""
        self._opened = opened

    def by_code(self, code: int) -> Iterator[str]:
        """Yields the glyphs that a reader may find for a code itself."""
        for table in self._symbols:
            yield from _found(table, code, *(start + code for start in _PRIVATE))
        for table in self._macintosh:
            yield from _found(table, code)

    def in_unicode(self, character: str) -> Iterator[str]:
        """Yields the glyphs of a character by its code in Unicode."""
        for table in self._unicode:
            yield from _found(table, ord(character))

    def in_macintosh(self, character: str) -> Iterator[str]:
        """Yields the glyphs of a character by its code in Mac OS Roman."""
        code = character.encode("mac_roman", "ignore")
        for table in self._macintosh if code else ():
            yield from _found(table, code[0])

    def outline(self, glyph: str) -> bytes | str:
        """Returns the outline of a glyph, or its name if the program has none."""
        if self._places is None:
            return glyph
        number = self._opened.getGlyphID(glyph)
        return self._data[self._places[number] : self._places[number + 1]]


def _is_small(table: Any) -> bool:  # noqa: ANN401  # fontTools has no types
    """Returns whether a table maps characters, as many as two planes of Unicode have at most. Raises `PdfRefused`."""
    if table.format != _GROUPS:
        return table.format in _SMALL
    starts_and_ends = ((first, last) for first, last, _ in iter_unpack(">LLL", table.data))
    if sum(last - first + 1 for first, last in starts_and_ends) > _MOST_CHARACTERS:
        raise PdfRefused(TWO_LETTERS)
    return True


def _found(table: Glyphs, *codes: int) -> Iterator[str]:
    return (table[code] for code in codes if code in table)

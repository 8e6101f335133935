"""Simple fonts with a TrueType program: each code of the font shows one glyph, whichever table a reader uses.

A program may map the same character to different glyphs in several tables, and readers choose among the tables by
rules of their own (ISO 32000-2, 9.6.5.4). So all tables that a reader may choose must lead to the same outline: those
of Unicode by the character of a code, those of symbols and of Macintosh by the code itself unless the font is one of
letters with an encoding, and those of Macintosh by the character unless the font is one of symbols. Names that are
not in the Adobe Glyph List are names or numbers of glyphs for some readers.
"""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from struct import iter_unpack
from typing import Any

from fontTools.agl import LEGACY_AGL2UV
from fontTools.ttLib import TTFont
from pikepdf import Name, Object

from application.uploads.font_encodings import (
    TWO_LETTERS,
    base_characters,
    base_of,
    character_of,
    characters_of,
    codes_of,
    differences_of,
)
from application.uploads.named_codes import NO_GLYPH
from application.uploads.pdf_limits import PdfRefused

_SYMBOLIC, _NONSYMBOLIC = 4, 32
"""Flags of a font descriptor (9.8.2)."""

_NAMED_BASES = ("/WinAnsiEncoding", "/MacRomanEncoding")
_PRIVATE = (0xF000, 0xF100, 0xF200)
"""Where fonts of symbols have their codes."""

_SMALL, _GROUPS = frozenset({0, 4, 6}), 12
"""Formats of tables: those of at most 65,536 characters, and that of groups."""

_MAX_CHARACTERS = 0x20000
_LAST_OF_ASCII = 126
_NUMBERED = re.compile(r"(?:[A-Za-z]|cid|gid|glyph|index)(\d{1,5})")

Glyphs = Mapping[int, str]


def check_truetype_codes(font: Object, program: bytes) -> None:
    """Raises `PdfRefused` if readers may show different glyphs for a code of the font."""
    try:
        opened = TTFont(BytesIO(program), lazy=True)
        tables = _Tables(opened)
    except PdfRefused:
        raise
    except Exception as error:  # of fontTools, on a damaged table
        raise PdfRefused(TWO_LETTERS) from error
    named = _Named(font)
    for code in codes_of(font):
        if len({glyph and tables.outline(glyph) for glyph in named.glyphs(code, tables)}) > 1:
            raise PdfRefused(TWO_LETTERS)


class _Named:
    """What a font says about its codes: characters, names that are in no list, and whether it is one of symbols."""

    def __init__(self, font: Object) -> None:
        encoding = font.get(Name.Encoding)
        named = differences_of(encoding)
        self._characters = None if encoding is None else characters_of(encoding)
        self._unlisted = {code: name for code, name in named.items() if name not in {*LEGACY_AGL2UV, NO_GLYPH}}
        self._base = base_of(encoding)
        self._flags = int(font.FontDescriptor.get(Name.Flags, 0)) & (_SYMBOLIC | _NONSYMBOLIC)
        self._is_by_name = self._flags == _NONSYMBOLIC and self._base in _NAMED_BASES

    def glyphs(self, code: int, tables: "_Tables") -> list[str | None]:
        """Returns the glyphs that readers may find for a code; None for those that find none."""
        if self._characters is None:
            character = chr(code) if code <= _LAST_OF_ASCII else None
        else:
            character = self._characters.get(code)
        found = [*tables.in_unicode(character)]
        is_clear = self._is_by_name
        if code in self._unlisted:
            is_clear = is_clear and character is not None
            found += self._unlisted_glyphs(code, character, tables)
        if not is_clear:
            found += tables.by_code(code, is_of_symbols=self._flags == _SYMBOLIC)
        if character and self._flags != _SYMBOLIC and not (any(found) and self._is_by_name):
            found += tables.in_macintosh(character)
        return found if any(found) else [*tables.by_character(character)]

    def _unlisted_glyphs(self, code: int, character: str | None, tables: "_Tables") -> Iterator[str | None]:
        named = [*tables.by_name(self._unlisted[code])]
        is_by_code = self._flags == _SYMBOLIC and character is None and self._base != "/MacRomanEncoding"
        if not named and not any(tables.in_unicode(character)) and not is_by_code:
            yield None
        yield from named
        if character is None or not self._is_by_name:
            based = tables.in_unicode(base_characters(self._base or "").get(code))
            yield from (glyph for glyph in based if glyph)


class _Tables:
    """The tables of an open program that map characters to glyphs, by platform."""

    def __init__(self, opened: TTFont) -> None:
        subtables = [one for one in opened["cmap"].tables if _is_small(one)] if "cmap" in opened else []
        self._unicode = [one.cmap for one in subtables if one.isUnicode() and not _is_of_symbols(one)]
        self._symbols = [one.cmap for one in subtables if _is_of_symbols(one)]
        self._macintosh = [one.cmap for one in subtables if one.platformID == 1]
        self._places = opened.get("loca", None)
        self._data: bytes = opened.reader["glyf"] if "glyf" in opened else b""
        self._opened = opened

    def by_code(self, code: int, *, is_of_symbols: bool) -> Iterator[str | None]:
        """Yields the glyph of a code itself in each table that a reader may use; None where it has none.

        Without a table of Macintosh, some readers find nothing in one of symbols if the font is not of symbols.
        """
        for table in self._symbols:
            if not is_of_symbols and not self._macintosh:
                yield None
            yield _found(table, code, *(start + code for start in _PRIVATE))
        for table in self._macintosh:
            yield _found(table, code)

    def in_unicode(self, character: str | None) -> Iterator[str | None]:
        """Yields the glyph of a character by its code in Unicode in each table; None where it has none."""
        if character:
            for table in self._unicode:
                yield _found(table, ord(character))

    def by_name(self, name: str) -> Iterator[str]:
        """Yields the glyphs that a reader may find for a name that is in no list."""
        order = self._opened.getGlyphOrder()
        if name in order:
            yield name
        number = _NUMBERED.fullmatch(name)
        if number and int(number[1]) < len(order):
            yield order[int(number[1])]

    def by_character(self, character: str | None) -> Iterator[str | None]:
        """Yields None, and the glyphs whose name stands for a character that no table has."""
        named = [glyph for glyph in self._opened.getGlyphOrder() if character and character_of(glyph) == character]
        if named:
            yield from (None, *named)

    def in_macintosh(self, character: str) -> Iterator[str | None]:
        """Yields the glyph of a character by its code in Mac OS Roman in each table; None where it has none."""
        code = character.encode("mac_roman", "ignore")
        for table in self._macintosh if code else ():
            yield _found(table, code[0])

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
    if table.data is None:  # it shares the groups of a table before it
        return True
    starts_and_ends = ((first, last) for first, last, _ in iter_unpack(">LLL", table.data))
    if sum(last - first + 1 for first, last in starts_and_ends) > _MAX_CHARACTERS:
        raise PdfRefused(TWO_LETTERS)
    return True


def _found(table: Glyphs, *codes: int) -> str | None:
    return next((table[code] for code in codes if code in table), None)


def _is_of_symbols(table: Any) -> bool:  # noqa: ANN401
    return bool((table.platformID, table.platEncID) == (3, 0))

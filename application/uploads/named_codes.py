"""Simple fonts whose program names its glyphs: each code shows one glyph, whichever encoding a reader uses.

CFF and Type 1 programs have an encoding of their own. Where the font names another one, readers choose differently, and
some take the standard encoding for codes that the program does not have (ISO 32000-2, 9.6.5.2).
"""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from fontTools.agl import toUnicode
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Name, Object

from application.uploads.font_encodings import (
    TWO_LETTERS,
    base_characters,
    base_of,
    character_of,
    codes_of,
    differences_of,
)
from application.uploads.pdf_limits import PdfRefused

NO_GLYPH = ".notdef"
_BLANK = frozenset({"", " ", "\N{NO-BREAK SPACE}"})
_SYMBOLIC, _NONSYMBOLIC = 4, 32
"""Flags of a font descriptor (9.8.2)."""


class NamedGlyphs(NamedTuple):
    """The encoding of a program, names of glyphs by their codes, and the names of all glyphs."""

    encoding: Mapping[int, str]
    names: Set[str]
    is_type1: bool = False


def named(encoding: Sequence[str]) -> Mapping[int, str]:
    """Returns the glyphs of an encoding by their codes."""
    return {code: glyph for code, glyph in enumerate(encoding) if glyph != NO_GLYPH}


STANDARD = named(StandardEncoding)


def check_named_codes(font: Object, program: NamedGlyphs) -> None:
    """Raises `PdfRefused` if readers may show different glyphs for a code of the font."""
    own, glyphs, is_type1 = program
    encoding = font.get(Name.Encoding)
    base, differences = base_of(encoding), differences_of(encoding)
    characters = base_characters(base or "")
    flags = int(font.FontDescriptor.get(Name.Flags, 0))
    is_of_letters = not flags & _SYMBOLIC and base != "/StandardEncoding"
    is_own = is_type1 and flags & (_SYMBOLIC | _NONSYMBOLIC) == _SYMBOLIC
    shown = {*map(toUnicode, glyphs)} - _BLANK
    for code in codes_of(font):
        if code in differences:
            # Some readers take a name that is not there for the character that it stands for.
            is_clear = differences[code] in {*glyphs, NO_GLYPH} or toUnicode(differences[code]) not in shown
        elif base is None:
            is_clear = is_own or code in own or StandardEncoding[code] not in glyphs
        else:
            meant = {characters.get(code), character_of(own.get(code, ""))} - {None, ""}
            is_there = code in own or not meant & shown
            is_clear = own == STANDARD or (len(meant) < 2 and (is_of_letters or is_there))
        if not is_clear:
            raise PdfRefused(TWO_LETTERS)

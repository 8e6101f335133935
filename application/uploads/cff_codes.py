"""Simple fonts with a CFF program: each code of the font shows one glyph, whichever encoding a reader uses.

A program has an encoding of its own. Where the font names another one, readers choose differently, and some take the
standard encoding for codes that the program does not have (ISO 32000-2, 9.6.5.2).
"""

from collections.abc import Mapping, Sequence, Set
from io import BytesIO
from types import SimpleNamespace

from fontTools.cffLib import CFFFontSet
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

_NO_GLYPH = ".notdef"


def check_cff_codes(font: Object, program: bytes) -> None:
    """Raises `PdfRefused` if readers may show different glyphs for a code of the font."""
    try:
        own, glyphs = _read(program)
    except Exception:  # noqa: BLE001  # of fontTools, on a damaged program: readers substitute, and are compared
        return
    encoding = font.get(Name.Encoding)
    base, named = base_of(encoding), differences_of(encoding)
    if base is not None and own == _STANDARD:
        return
    characters = base_characters(base or "")
    for code in codes_of(font):
        if code in named:
            continue
        if base is None:
            is_clear = code in own or StandardEncoding[code] not in glyphs
        else:
            shown = {characters.get(code), character_of(own.get(code, ""))} - {None, ""}
            is_clear = len(shown) < 2
        if not is_clear:
            raise PdfRefused(TWO_LETTERS)


def _read(program: bytes) -> tuple[Mapping[int, str], Set[str]]:
    """Returns the encoding of a program, names of glyphs by their codes, and all names of glyphs."""
    fonts = CFFFontSet()
    fonts.decompile(BytesIO(program), SimpleNamespace(recalcBBoxes=False))
    top = fonts.topDictIndex[0]
    own = top.Encoding if isinstance(top.Encoding, list) else StandardEncoding
    return _named(own), set(top.charset) - {_NO_GLYPH}


def _named(encoding: Sequence[str]) -> Mapping[int, str]:
    return {code: glyph for code, glyph in enumerate(encoding) if glyph != _NO_GLYPH}


_STANDARD = _named(StandardEncoding)

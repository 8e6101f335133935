"""The encodings of simple fonts: the characters of their codes (ISO 32000-2, 9.6.5 and annex D)."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fontTools.agl import LEGACY_AGL2UV
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Array, Dictionary, Name, Object

TWO_LETTERS = (
    "A font in the PDF maps the same character to different letters, of which each PDF reader shows another. Save the "
    "PDF with another program, and upload that."
)
_CODECS = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman"}


def codes_of(font: Object) -> Iterator[int]:
    """Yields the codes that have a width."""
    first, widths = font.get(Name.FirstChar, 0), font.get(Name.Widths)
    listed = list(widths) if isinstance(widths, Array) else [1] * 256
    for code, width in enumerate(listed[:256], int(first)):
        if width and 0 <= code < 256:
            yield code


def differences_of(encoding: Object | None) -> Mapping[int, str]:
    """Returns the names of glyphs that an encoding gives to codes."""
    named, code = dict[int, str](), 0
    differences = encoding.get(Name.Differences) if isinstance(encoding, Dictionary) else None
    for entry in differences if isinstance(differences, Array) else ():
        if isinstance(entry, Name):
            named[code] = str(entry)[1:]
            code += 1
        else:
            code = int(entry)
    return named


def base_of(encoding: Object | None) -> str | None:
    """Returns the name of the encoding that an encoding is or changes; None if it names none."""
    named = encoding.get(Name.BaseEncoding) if isinstance(encoding, Dictionary) else encoding
    return None if named is None else str(named)


def characters_of(encoding: Object | None) -> Mapping[int, str]:
    """Returns the characters by their codes in an encoding, the standard one by default."""
    differences = differences_of(encoding)
    changed = {code: character_of(glyph) for code, glyph in differences.items()}
    shown = {**base_characters(base_of(encoding) or ""), **changed}
    return {code: character for code, character in shown.items() if character}


@cache
def base_characters(name: str) -> Mapping[int, str]:
    """Returns the characters by their codes in a named encoding; in the standard one for another name."""
    if name in _CODECS:
        shown = ((code, bytes([code]).decode(_CODECS[name], "ignore")) for code in range(32, 256))
    else:
        shown = ((code, character_of(glyph)) for code, glyph in enumerate(StandardEncoding))
    return {code: character for code, character in shown if character}


def character_of(glyph: str) -> str:
    """Returns the character of a name in the Adobe Glyph List; empty for another name."""
    found: Any = LEGACY_AGL2UV.get(glyph)
    if found:
        return chr(found[0] if isinstance(found, list) else found)
    if glyph.startswith("uni") and len(glyph) == 7:
        try:
            return chr(int(glyph[3:], 16))
        except ValueError:
            return ""
    return ""

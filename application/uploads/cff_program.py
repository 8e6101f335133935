"""CFF programs that all readers read alike (Adobe technical note 5176, the Compact Font Format)."""

from io import BytesIO
from types import SimpleNamespace
from typing import Any

from fontTools.cffLib import CFFFontSet, cffISOAdobeStrings

from application.uploads.charstrings import Type2Run, check_accented, damaged_is_odd, require
from application.uploads.named_codes import NO_GLYPH, STANDARD, NamedGlyphs, named

_FILLED, _TYPE_2 = 0, 2
"""Glyphs that are filled, and the kind of charstrings."""


def read_cff(program: bytes) -> NamedGlyphs | None:
    """Returns the glyphs of a program, None if it numbers them for composite fonts. Raises `OddProgram`."""
    with damaged_is_odd():
        fonts = CFFFontSet()
        fonts.decompile(BytesIO(program), SimpleNamespace(recalcBBoxes=False))
        return _read(fonts)


def _read(fonts: Any) -> NamedGlyphs | None:  # noqa: ANN401  # fontTools has no types
    require(len(fonts.fontNames) == len(fonts.topDictIndex) == 1)
    top = fonts.topDictIndex[0]
    require(top.rawDict.get("PaintType", _FILLED) == _FILLED and top.rawDict.get("CharstringType", _TYPE_2) == _TYPE_2)
    has_charset = hasattr(top, "charset")
    if not has_charset:
        top.charset = []  # which fontTools needs
    charstrings = top.CharStrings.charStringsIndex
    is_named = not hasattr(top, "ROS") and (has_charset or len(charstrings) <= len(cffISOAdobeStrings))
    charset = top.charset if has_charset else cffISOAdobeStrings[: len(charstrings)] if is_named else []
    names = charset or [str(number) for number in range(len(charstrings))]
    require(len(set(names)) == len(names) == len(charstrings))
    shared = [one.bytecode for one in top.GlobalSubrs]
    own = dict[int, list[bytes]]()
    parts = dict[str, list[str]]()
    for glyph, charstring in zip(names, charstrings, strict=True):
        private = charstring.private
        if id(private) not in own:
            own[id(private)] = [one.bytecode for one in getattr(private, "Subrs", ())]
        parts[glyph] = Type2Run(own[id(private)], shared).parts(charstring.bytecode)
    check_accented(parts)
    if not is_named:
        return None
    encoding = named(top.Encoding) if isinstance(top.Encoding, list) else STANDARD
    return NamedGlyphs(encoding, set(names) - {NO_GLYPH})

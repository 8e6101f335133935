"""Fonts of uploads: a font that is not embedded has a plain encoding, so that readers substitute the same letters.

ISO 32000-2, 9.6 to 9.8. An embedded font has one font program. Widths of glyphs are whole thousandths of the font size:
some readers drop fractions, so that in them a line of text ends a point beside its place in others.
"""

from decimal import Decimal
from io import BytesIO

from fontTools.agl import LEGACY_AGL2UV
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Array, Dictionary, Name, Object, Stream, StreamDecodeLevel

from application.uploads.cff_program import read_cff
from application.uploads.charstrings import OddProgram
from application.uploads.font_encodings import TWO_LETTERS, base_of
from application.uploads.named_codes import NamedGlyphs, check_named_codes
from application.uploads.pdf_limits import PdfRefused
from application.uploads.truetype_codes import check_truetype_codes
from application.uploads.truetype_program import plain_truetype
from application.uploads.type1_program import read_type1

_PROGRAMS = (Name.FontFile, Name.FontFile2, Name.FontFile3)
_TRUETYPE = (Name.TrueType, Name.CIDFontType2)
_OTHER_OUTLINES = "fonts whose glyphs are drawn in several ways"
_WRAPPED = "fonts in several formats at once"

_ENCODINGS = frozenset({"/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding", "/None"})
_SYMBOLIC = ("Symbol", "ZapfDingbats", "Wingdings")

_NOT_EMBEDDED = (
    "The PDF uses the font {name} without holding it, in a way that each PDF reader shows with other letters. Save the "
    "PDF with embedded fonts, and upload that."
)
_ODD_PROGRAM = (
    "The font {name} in the PDF is damaged, or written in a way that PDF readers draw as different letters. Save the "
    "PDF with another program, and upload that."
)


def plain_font(font: Object, found: set[str]) -> None:
    """Makes the program of a font and its widths plain.

    Raises `PdfRefused` if readers may show other letters, or the font is neither embedded nor plainly encoded.
    """
    kind = font.get(Name.Subtype)
    if kind == Name.Type3:
        return
    if kind == Name.Type0:
        _plain_composite(font, found)
        return
    _round(font, Name.Widths)
    program = _keep_one_program(font, found)
    if program is not None:
        _plain_simple(font, program, found)
    elif not _is_plain(font):
        raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))


def _plain_composite(font: Object, found: set[str]) -> None:
    descendants = font.get(Name.DescendantFonts)
    inner = descendants[0] if isinstance(descendants, Array) and len(descendants) else None
    encoding = font.get(Name.Encoding)
    program = None
    if isinstance(inner, Dictionary):
        program = _keep_one_program(inner, found)
        if inner.get(Name.Subtype) == Name.CIDFontType0 and isinstance(inner.get(Name.CIDToGIDMap), Stream):
            raise PdfRefused(TWO_LETTERS)  # some readers follow the map
        _round(inner, Name.W)
        _round(inner, Name.DW)
        if program is not None:
            _plain_program(inner, program, found)
    if program is None and (isinstance(encoding, Stream) or str(encoding).startswith("/Identity")):
        raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))


def _plain_simple(font: Object, program: Stream, found: set[str]) -> None:
    glyphs = _plain_program(font, program, found)
    if isinstance(glyphs, bytes):
        check_truetype_codes(font, glyphs)
    elif glyphs is None:
        raise PdfRefused(_ODD_PROGRAM.format(name=_name(font)))
    else:
        check_named_codes(font, glyphs)


def _plain_program(font: Object, program: Stream, found: set[str]) -> NamedGlyphs | bytes | None:
    """Makes a program plain. Returns the glyphs of one that names them, or the TrueType program."""
    kind = font.get(Name.Subtype)
    data = program.read_bytes(StreamDecodeLevel.specialized)
    try:
        if kind in _TRUETYPE:
            plain = plain_truetype(data)
            if plain.is_new:
                found.add(_OTHER_OUTLINES)
            if plain.program != data:
                program.write(plain.program)
                program[Name.Length1] = len(plain.program)
            return plain.program
        if data.startswith(b"%!"):
            return read_type1(data)
        if data.startswith(b"OTTO"):
            found.add(_WRAPPED)
            data = TTFont(BytesIO(data)).reader["CFF "]
            program.write(data)
            program[Name.Subtype] = Name.CIDFontType0C if kind == Name.CIDFontType0 else Name.Type1C
        return read_cff(data)
    except (OddProgram, TTLibError, KeyError):
        raise PdfRefused(_ODD_PROGRAM.format(name=_name(font))) from None


def _round(holder: Object, key: Name) -> None:
    widths = holder.get(key)
    if widths is not None:
        holder[key] = _whole(widths)


def _whole(value: object) -> object:
    if isinstance(value, Array):
        return Array([_whole(one) for one in value])
    return round(value) if isinstance(value, Decimal) else value


def _keep_one_program(font: Object, found: set[str]) -> Stream | None:
    """Removes all font programs but the first, and returns that; None if there is none."""
    descriptor = font.get(Name.FontDescriptor)
    if not isinstance(descriptor, Dictionary):
        return None
    programs = [(key, program) for key in _PROGRAMS if isinstance(program := descriptor.get(key), Stream)]
    for key, _ in programs[1:]:
        found.add(_WRAPPED)
        del descriptor[key]
    return programs[0][1] if programs else None


def _is_plain(font: Object) -> bool:
    encoding = font.get(Name.Encoding)
    differences = encoding.get(Name.Differences) if isinstance(encoding, Dictionary) else None
    names = [str(entry)[1:] for entry in differences or () if isinstance(entry, Name)]
    is_named = (base_of(encoding) or "/None") in _ENCODINGS
    return is_named and (_is_symbolic(font) or all(map(_is_known, names)))


def _is_known(glyph: str) -> bool:
    return glyph in LEGACY_AGL2UV or glyph.startswith("uni") or glyph == ".notdef"


def _is_symbolic(font: Object) -> bool:
    return any(name in _name(font) for name in _SYMBOLIC)


def _name(font: Object) -> str:
    return str(font.get(Name.BaseFont, "/?"))[1:41]

"""Fonts of uploads: a font that is not embedded has a plain encoding, so that readers substitute the same letters.

ISO 32000-2, 9.6 to 9.8. An embedded font has one font program. Widths of glyphs are whole thousandths of the font size:
some readers drop fractions, so that in them a line of text ends a point beside its place in others.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from fontTools.agl import LEGACY_AGL2UV
from fontTools.ttLib import TTFont, TTLibError
from pikepdf import Array, Dictionary, Name, Object, Stream, StreamDecodeLevel

from application.uploads.cff_program import read_cff
from application.uploads.charstrings import OddProgram
from application.uploads.composite_font import codes_of_composite, inner_font
from application.uploads.font_encodings import base_of
from application.uploads.glyph_widths import codes_with_width, plain_cid_widths, plain_widths
from application.uploads.named_codes import NamedGlyphs, check_named_codes
from application.uploads.pdf_keys import is_numbers
from application.uploads.pdf_limits import PdfRefused
from application.uploads.text_strings import Font
from application.uploads.truetype_codes import check_truetype_codes
from application.uploads.truetype_program import plain_truetype
from application.uploads.type1_program import read_type1
from application.uploads.type3_font import codes_of_type3, plain_type3

FONT_PROGRAMS = (Name.FontFile, Name.FontFile2, Name.FontFile3)
_TRUETYPE = (Name.TrueType, Name.CIDFontType2)
_OTHER_OUTLINES = "fonts whose glyphs are drawn in several ways"
_NO_BOX = "fonts without a box"
_WRAPPED = "fonts in several formats at once"

_ENCODINGS = frozenset({"/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding", "/None"})
_SYMBOLIC = ("Symbol", "ZapfDingbats", "Wingdings")

_NOT_EMBEDDED = (
    "The PDF uses the font {name} without holding it, in a way that each PDF reader shows with other letters. Save the "
    "PDF with embedded fonts, and upload that."
)
_ODD_FONT = (
    "The font {name} in the PDF is damaged, or written in a way that PDF readers draw as different letters. Save the "
    "PDF with another program, and upload that."
)


def plain_font(font: Object, found: set[str]) -> None:
    """Makes the program of a font and its widths plain.

    Raises `PdfRefused` if readers may show other letters, or the font is neither embedded nor plainly encoded.
    """
    kind = font.get(Name.Subtype)
    if kind == Name.Type3:
        return  # its glyphs are contents
    with _naming(font):
        if kind == Name.Type0:
            _plain_composite(font, found)
        else:
            _plain_simple(font, found)


def plain_drawings(font: Object, images: frozenset[str], found: set[str]) -> None:
    """Makes a font of Type 3 plain, apart from what its glyphs draw. Raises `PdfRefused`.

    `images`: the names of the XObjects of the font that are images.
    """
    with _naming(font):
        plain_type3(font, images, found)


def shown_font(font: Object) -> Font:
    """Returns what content streams may show with a font. Raises `PdfRefused`."""
    kind = font.get(Name.Subtype)
    with _naming(font):
        if kind == Name.Type3:
            return Font(codes_of_type3(font), is_type3=True)
        if kind == Name.Type0:
            codes, size = codes_of_composite(font)
            return Font(codes, size)
        return Font(codes_with_width(font) if _has_program(font) else None)


@contextmanager
def _naming(font: Object) -> Iterator[None]:
    """Refuses an odd font by its name."""
    try:
        yield
    except OddProgram:
        raise PdfRefused(_ODD_FONT.format(name=_name(font))) from None


def _plain_composite(font: Object, found: set[str]) -> None:
    inner = inner_font(font)
    plain_cid_widths(inner)
    program = _keep_one_program(inner, found)
    if program is not None:
        _plain_program(inner, program, found)
    elif isinstance(font.Encoding, Stream) or str(font.Encoding).startswith("/Identity"):
        raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))


def _plain_simple(font: Object, found: set[str]) -> None:
    program = _keep_one_program(font, found)
    plain_widths(font, found, is_embedded=program is not None)
    if program is None:
        if not _is_plain(font):
            raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))
        return
    glyphs = _plain_program(font, program, found)
    if isinstance(glyphs, bytes):
        check_truetype_codes(font, glyphs)
    elif glyphs is None:
        raise OddProgram
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
    except (TTLibError, KeyError):
        raise OddProgram from None


def _has_program(font: Object) -> bool:
    descriptor = font.get(Name.FontDescriptor)
    return isinstance(descriptor, Dictionary) and any(key in descriptor for key in FONT_PROGRAMS)


def _keep_one_program(font: Object, found: set[str]) -> Stream | None:
    """Removes all font programs but the first, and returns that; None if there is none."""
    descriptor = font.get(Name.FontDescriptor)
    if not isinstance(descriptor, Dictionary):
        return None
    programs = [(key, program) for key in FONT_PROGRAMS if isinstance(program := descriptor.get(key), Stream)]
    for key, _ in programs[1:]:
        found.add(_WRAPPED)
        del descriptor[key]
    if programs and not is_numbers(descriptor.get(Name.FontBBox), 4):
        found.add(_NO_BOX)
        descriptor[Name.FontBBox] = Array([0, 0, 0, 0])
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
    return str(font.get(Name.BaseFont) or font.get(Name.Name) or "/?")[1:41]

"""Fonts of uploads: a font that is not embedded has a plain encoding, so that readers substitute the same letters.

ISO 32000-2, 9.6 to 9.8. An embedded font has one font program. Widths of glyphs are whole thousandths of the font size:
some readers drop fractions, so that in them a line of text ends a point beside its place in others.
"""

from decimal import Decimal

from fontTools.agl import LEGACY_AGL2UV
from pikepdf import Array, Dictionary, Name, Object, Stream, StreamDecodeLevel

from application.uploads.cff_codes import check_cff_codes
from application.uploads.font_encodings import TWO_LETTERS, base_of
from application.uploads.pdf_limits import PdfRefused
from application.uploads.truetype_codes import check_truetype_codes

_PROGRAMS = (Name.FontFile, Name.FontFile2, Name.FontFile3)
_CFF, _TYPE_1 = b"\x01\0", (b"%!", b"\x80\x01")
"""How programs begin."""

_ENCODINGS = frozenset({"/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding", "/None"})
_SYMBOLIC = ("Symbol", "ZapfDingbats", "Wingdings")

_NOT_EMBEDDED = (
    "The PDF uses the font {name} without holding it, in a way that each PDF reader shows with other letters. Save the "
    "PDF with embedded fonts, and upload that."
)


def check_font(font: Object) -> None:
    """Keeps one font program, and whole widths. Raises `PdfRefused` if it is neither embedded nor plainly encoded."""
    kind = font.get(Name.Subtype)
    if kind == Name.Type3:
        return
    if kind == Name.Type0:
        descendants = font.get(Name.DescendantFonts)
        inner = descendants[0] if isinstance(descendants, Array) and len(descendants) else None
        encoding = font.get(Name.Encoding)
        program = None
        if isinstance(inner, Dictionary):
            program = _keep_one_program(inner)
            if inner.get(Name.Subtype) == Name.CIDFontType0 and isinstance(inner.get(Name.CIDToGIDMap), Stream):
                raise PdfRefused(TWO_LETTERS)  # some readers follow the map
            _round(inner, Name.W)
            _round(inner, Name.DW)
        if program is None and (isinstance(encoding, Stream) or str(encoding).startswith("/Identity")):
            raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))
        return
    _round(font, Name.Widths)
    program = _keep_one_program(font)
    if program is not None:
        _check_codes(font, program.read_bytes(StreamDecodeLevel.specialized))
    elif not _is_plain(font):
        raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))


def _check_codes(font: Object, program: bytes) -> None:
    if program.startswith(_CFF):
        check_cff_codes(font, program)
    elif not program.startswith(_TYPE_1):
        check_truetype_codes(font, program)


def _round(holder: Object, key: Name) -> None:
    widths = holder.get(key)
    if widths is not None:
        holder[key] = _whole(widths)


def _whole(value: object) -> object:
    if isinstance(value, Array):
        return Array([_whole(one) for one in value])
    return round(value) if isinstance(value, Decimal) else value


def _keep_one_program(font: Object) -> Object | None:
    """Removes all font programs but the first, and returns that; None if there is none."""
    descriptor = font.get(Name.FontDescriptor)
    if not isinstance(descriptor, Dictionary):
        return None
    programs = [key for key in _PROGRAMS if isinstance(descriptor.get(key), Stream)]
    for key in programs[1:]:
        del descriptor[key]
    return descriptor[programs[0]] if programs else None


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

"""Fonts of uploads: a font that is not embedded has a plain encoding, so that readers substitute the same letters.

ISO 32000-2, 9.6 to 9.8. An embedded font has one font program. Widths of glyphs are whole thousandths of the font size:
some readers drop fractions, so that in them a line of text ends a point beside its place in others.
"""

from decimal import Decimal

from fontTools.agl import LEGACY_AGL2UV
from pikepdf import Array, Dictionary, Name, Object, Stream, StreamDecodeLevel

from application.uploads.cff_codes import check_cff_codes
from application.uploads.font_encodings import TWO_LETTERS
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
        own = isinstance(inner, Dictionary) and _keep_one_program(inner)
        if isinstance(inner, Dictionary):
            if inner.get(Name.Subtype) == Name.CIDFontType0 and isinstance(inner.get(Name.CIDToGIDMap), Stream):
                raise PdfRefused(TWO_LETTERS)  # some readers follow the map
            _round(inner, Name.W)
            _round(inner, Name.DW)
        if not own and (isinstance(encoding, Stream) or str(encoding).startswith("/Identity")):
            raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))
        return
    _round(font, Name.Widths)
    if not _keep_one_program(font) and not _is_plain(font):
        raise PdfRefused(_NOT_EMBEDDED.format(name=_name(font)))
    program = _program(font)
    if program.startswith(_CFF):
        check_cff_codes(font, program)
    elif program:
        check_truetype_codes(font, program)


def _round(holder: Object, key: Name) -> None:
    widths = holder.get(key)
    if widths is not None:
        holder[key] = _whole(widths)


def _whole(value: object) -> object:
    if isinstance(value, Array):
        return Array([_whole(one) for one in value])
    return round(value) if isinstance(value, Decimal) else value


def _keep_one_program(font: Object) -> bool:
    """Removes all font programs but the first. Returns whether there is one."""
    descriptor = font.get(Name.FontDescriptor)
    if not isinstance(descriptor, Dictionary):
        return False
    programs = [key for key in _PROGRAMS if isinstance(descriptor.get(key), Stream)]
    for key in programs[1:]:
        del descriptor[key]
    return bool(programs)


def _program(font: Object) -> bytes:
    """Returns the program of a font; empty if it has none, or one of Type 1."""
    descriptor = font.get(Name.FontDescriptor)
    held = [descriptor.get(key) for key in _PROGRAMS] if isinstance(descriptor, Dictionary) else []
    read = (one.read_bytes(StreamDecodeLevel.specialized) for one in held if isinstance(one, Stream))
    return next((one for one in read if not one.startswith(_TYPE_1)), b"")


def _is_plain(font: Object) -> bool:
    encoding = font.get(Name.Encoding)
    if isinstance(encoding, Dictionary):
        base, differences = str(encoding.get(Name.BaseEncoding, Name("/None"))), encoding.get(Name.Differences)
        names = [str(entry)[1:] for entry in differences or () if isinstance(entry, Name)]
        return base in _ENCODINGS and (_is_symbolic(font) or all(map(_is_known, names)))
    return str(encoding or "/None") in _ENCODINGS


def _is_known(glyph: str) -> bool:
    return glyph in LEGACY_AGL2UV or glyph.startswith("uni") or glyph == ".notdef"


def _is_symbolic(font: Object) -> bool:
    return any(name in _name(font) for name in _SYMBOLIC)


def _name(font: Object) -> str:
    return str(font.get(Name.BaseFont, "/?"))[1:41]

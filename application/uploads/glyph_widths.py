"""Widths of glyphs, which place the letters of a line, written so that all readers take the same.

ISO 32000-2, 9.6.2 and 9.7.4.3. Where a code has no width, or one that is no number, readers take one from the program,
from `MissingWidth`, or none.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from pikepdf import Array, Name, Object

from application.uploads.charstrings import OddProgram
from application.uploads.pdf_keys import key_set

_ODD_WIDTHS = "fonts that say no width, or several, for a letter"
_CODES = 256
_CIDS = 65_536
_STANDARD = key_set(
    "Courier Courier-Bold Courier-BoldOblique Courier-Oblique Helvetica Helvetica-Bold Helvetica-BoldOblique "
    "Helvetica-Oblique Symbol Times-Bold Times-BoldItalic Times-Italic Times-Roman ZapfDingbats"
)
"""Fonts of which readers know the widths (9.6.2.2)."""

_KNOWN_AS = {
    "/Arial": "/Helvetica", "/ArialMT": "/Helvetica", "/Arial,Bold": "/Helvetica-Bold",
    "/Arial-BoldMT": "/Helvetica-Bold", "/Arial,Italic": "/Helvetica-Oblique", "/Arial-ItalicMT": "/Helvetica-Oblique",
    "/Arial,BoldItalic": "/Helvetica-BoldOblique", "/Arial-BoldItalicMT": "/Helvetica-BoldOblique",
    "/TimesNewRoman": "/Times-Roman", "/TimesNewRomanPSMT": "/Times-Roman", "/TimesNewRoman,Bold": "/Times-Bold",
    "/TimesNewRoman,Italic": "/Times-Italic", "/CourierNew": "/Courier", "/CourierNewPSMT": "/Courier",
    "/CourierNew,Bold": "/Courier-Bold",
}  # fmt: skip
"""The standard font whose widths some readers take for another font."""


def codes_with_width(font: Object) -> bytes | None:
    """Returns the codes of a simple font that have a width; None if readers know the widths of all."""
    widths, first = font.get(Name.Widths), font.get(Name.FirstChar)
    if not isinstance(widths, Array) or not isinstance(first, int):
        return None
    return bytes(range(max(first, 0), min(first + len(widths), _CODES)))


def plain_widths(font: Object, found: set[str], *, is_embedded: bool) -> None:
    """Makes the widths of a simple font plain. Raises `OddProgram`."""
    widths, first, last = (font.get(key) for key in (Name.Widths, Name.FirstChar, Name.LastChar))
    is_standard = not is_embedded and Name.FontDescriptor not in font
    if is_standard:
        _plain_standard(font, found)
    if widths is None and is_standard:
        return
    if not _are_numbers(widths) or not isinstance(first, int) or not isinstance(last, int):
        raise OddProgram
    if not 0 <= first <= last < _CODES or len(widths) != last - first + 1:
        raise OddProgram
    if is_standard:  # some readers take these widths, others the ones that they know
        found.add(_ODD_WIDTHS)
        del font[Name.Widths]
    else:
        font[Name.Widths] = _whole(widths)


def _plain_standard(font: Object, found: set[str]) -> None:
    """Gives a font without a descriptor the name of a standard one."""
    name = str(font.get(Name.BaseFont))
    if name not in _STANDARD:
        found.add(_ODD_WIDTHS)
        font[Name.BaseFont] = Name(_KNOWN_AS.get(name, "/Helvetica"))


def plain_cid_widths(font: Object) -> None:
    """Makes the widths of a CID font plain. Raises `OddProgram`."""
    if Name.DW in font:
        if not _is_number(font.DW):
            raise OddProgram
        font[Name.DW] = _whole(font.DW)
    if Name.W in font:
        _check_ranges(font.W)
        font[Name.W] = _whole(font.W)


def _check_ranges(listed: Object) -> None:
    """Checks that `W` gives each CID one width at most, in one of the two ways."""
    if not isinstance(listed, Array):
        raise OddProgram
    end = -1
    for first, last in sorted(_ranges(list(listed))):
        if not end < first <= last < _CIDS:
            raise OddProgram
        end = last


def _ranges(listed: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yields the first and the last CID of each entry of `W`."""
    at = 0
    while at < len(listed):
        match listed[at : at + 3]:
            case [int(first), Array() as widths, *_] if _are_numbers(widths):
                if len(widths):
                    yield first, first + len(widths) - 1
                at += 2
            case [int(first), int(last), int() | Decimal() as width] if _is_number(width):
                yield first, last
                at += 3
            case _:
                raise OddProgram


def _are_numbers(values: object) -> bool:
    return isinstance(values, Array) and all(map(_is_number, values))


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and value >= 0


def _whole(value: object) -> object:
    if isinstance(value, Array):
        return Array([_whole(one) for one in value])
    return round(value) if isinstance(value, Decimal) else value

"""Inline pictures of content streams (ISO 32000-2, 8.9.7): as plain as other pictures, and with an end that is certain.

Some readers find the end of the data by their filter or their size, and others by the next `EI`.
"""

import re
from collections.abc import Mapping

from pikepdf import Array, Name, Object, Pdf, PdfError, Stream, parse_content_stream

from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_image import components_of, components_of_picture, is_whole, plain_image, size_of_samples

_KEYS = {
    "/BPC": "/BitsPerComponent", "/CS": "/ColorSpace", "/D": "/Decode", "/DP": "/DecodeParms", "/F": "/Filter",
    "/H": "/Height", "/IM": "/ImageMask", "/I": "/Interpolate", "/L": "/Length", "/W": "/Width",
}  # fmt: skip
_SPACES = {"/G": "/DeviceGray", "/RGB": "/DeviceRGB", "/CMYK": "/DeviceCMYK", "/I": "/Indexed"}
_OF_VALUES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_FILTERS = {
    "/AHx": "/ASCIIHexDecode", "/A85": "/ASCII85Decode", "/LZW": "/LZWDecode", "/Fl": "/FlateDecode",
    "/RL": "/RunLengthDecode", "/CCF": "/CCITTFaxDecode",
}  # fmt: skip
"""Abbreviations (tables 91 and 92)."""

_PLAIN_DECODES: tuple[list[tuple[int, int]], ...] = ([], [(0, 1)], [(1, 0)])
"""Readers follow no others in inline pictures."""

_ENDS = {"/ASCIIHexDecode": b">", "/ASCII85Decode": b"~>", "/RunLengthDecode": b"\x80"}
"""What ends the data of a filter."""

_END = re.compile(rb"EI")
_MAX_ENDS = 16
_SPARE = 2
"""White space that may stand before `EI`."""

_ODD = (
    "A small picture in the PDF is written in a way that PDF readers take for different things. Save the PDF again "
    "with another program, and upload that."
)


def check_inline(entries: bytes, data: bytes, spaces: Mapping[str, Object]) -> None:
    """Raises `PdfRefused` if readers may differ in the picture or in where its data end.

    `entries` stand between `BI` and `ID`, `data` between `ID` with a space and a space with `EI`. `spaces`: the colour
    spaces of the resources.
    """
    holder = Pdf.new()
    given = _entries(holder, entries, spaces)
    picture = _plain(holder, given, data)
    if Name.Filter not in picture:
        spare = len(data) - size_of_samples(picture, components_of_picture(picture))
        if not 0 <= spare <= _SPARE or data[len(data) - spare :].strip():
            raise PdfRefused(_ODD)
        return
    if not data.rstrip().endswith(_ENDS.get(_first(picture.Filter), b"")):
        raise PdfRefused(_ODD)  # some readers go on behind the data
    ends = [found.start() for found in _END.finditer(data)]
    if len(ends) > _MAX_ENDS:
        raise PdfRefused(_ODD)
    for end in ends:
        try:
            _plain(holder, given, data[:end])
        except (PdfRefused, PdfError):
            continue  # no reader ends here, since the picture would not be whole
        raise PdfRefused(_ODD)


def _first(filters: Object) -> str:
    return str(filters[0] if isinstance(filters, Array) and len(filters) else filters)


def _plain(holder: Pdf, given: Mapping[str, Object], data: bytes) -> Stream:
    picture, found = Stream(holder, data), set[str]()
    for key, value in given.items():
        if key != "/Length":
            picture[key] = value
        elif value != len(data):
            raise PdfRefused(_ODD)
    plain_image(picture, found)
    decoded = [*picture.get(Name.Decode, Array())]
    if found or sorted({*zip(decoded[::2], decoded[1::2], strict=False)}) not in _PLAIN_DECODES:
        raise PdfRefused(_ODD)
    return picture


def _entries(holder: Pdf, entries: bytes, spaces: Mapping[str, Object]) -> dict[str, Object]:
    """Returns the entries with the names of other pictures."""
    try:
        (instruction,) = parse_content_stream(Stream(holder, entries + b" n"))
        listed = list(instruction.operands)
        names = [str(key) if isinstance(key, Name) else "" for key in listed[::2]]
        given = {_KEYS.get(name, name): value for name, value in zip(names, listed[1::2], strict=True)}
    except (PdfError, ValueError):
        raise PdfRefused(_ODD) from None
    if len(given) != len(names) or "" in given:
        raise PdfRefused(_ODD)
    if (space := given.get("/ColorSpace")) is not None:
        given["/ColorSpace"] = _space(space, spaces)
    if isinstance(filters := given.get("/Filter"), Array):
        given["/Filter"] = Array(Name(_FILTERS.get(str(one), str(one))) for one in filters)
    elif filters is not None:
        given["/Filter"] = Name(_FILTERS.get(str(filters), str(filters)))
    return given


def _space(space: Object, spaces: Mapping[str, Object]) -> Object:
    """Returns the colour space of a picture; for one of the resources, a plain one with as many values."""
    if isinstance(space, Array):
        return Array([_space(one, {}) if isinstance(one, Name) else one for one in space])
    name = str(space)
    if name not in spaces:
        return Name(_SPACES.get(name, name))
    values = components_of(spaces[name])
    if values not in _OF_VALUES or not is_whole(spaces[name]):
        raise PdfRefused(_ODD)
    return Name(_OF_VALUES[values])

"""Inline pictures of content streams (ISO 32000-2, 8.9.7): as plain as other pictures, and with an end that is certain.

Some readers find the end of the data by their filter or their size, and others by the next `EI`.
"""

import re
import zlib
from collections.abc import Mapping
from itertools import chain

from pikepdf import Array, Name, Object, Pdf, PdfError, Stream, parse_content_stream

from application.uploads.content_state import Space, names
from application.uploads.fax_picture import PARAMETERS as FAX_PARAMETERS
from application.uploads.pdf_keys import key_set
from application.uploads.pdf_limits import FILTERS, PdfRefused, filters_of
from application.uploads.plain_image import components_of_picture, plain_image, size_of_samples

_KEYS = {
    "/BPC": "/BitsPerComponent", "/CS": "/ColorSpace", "/D": "/Decode", "/DP": "/DecodeParms", "/F": "/Filter",
    "/H": "/Height", "/IM": "/ImageMask", "/I": "/Interpolate", "/L": "/Length", "/W": "/Width",
}  # fmt: skip
_SPACES = {"/G": "/DeviceGray", "/RGB": "/DeviceRGB", "/CMYK": "/DeviceCMYK", "/I": "/Indexed"}
_FILTERS = {short: name for short, name in FILTERS.items() if name != "/DCTDecode"}
"""Keys, colour spaces and filters by their abbreviations (tables 91 and 92)."""

_NAMES = (
    frozenset(chain.from_iterable(chain(table, table.values()) for table in (_KEYS, _SPACES, _FILTERS)))
    | FAX_PARAMETERS
    | key_set("Intent AbsoluteColorimetric RelativeColorimetric Saturation Perceptual Predictor Colors EarlyChange")
)
"""Keys and names of inline pictures, apart from colour spaces of the resources."""

_OF_SAMPLES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_PLAIN_DECODES: tuple[list[tuple[int, int]], ...] = ([], [(0, 1)], [(1, 0)])
"""Readers follow no others in inline pictures."""

_ENDS = {"/ASCIIHexDecode": b">", "/ASCII85Decode": b"~>", "/RunLengthDecode": b"\x80"}
"""What ends the data of a filter."""

_END = re.compile(rb"EI")
_MAX_ENDS = 16
_SPARE = 2
"""White space that may stand before `EI`."""

AMBIGUOUS = (
    "A small picture in the PDF is written in a way that PDF readers take for different things. Save the PDF again "
    "with another program, and upload that."
)


def check_inline(entries: bytes, data: bytes, spaces: Mapping[str, Space]) -> None:
    """Raises `PdfRefused` if readers may differ in the picture or in where its data end.

    `entries` stand between `BI` and `ID`, `data` between `ID` with a space and a space with `EI`. `spaces`: the colour
    spaces of the resources.
    """
    if any(name not in _NAMES and name not in spaces for name in names(entries)):
        raise PdfRefused(AMBIGUOUS)
    holder = Pdf.new()
    given = _entries(holder, entries, spaces)
    picture = _plain(holder, given, data)
    filters = filters_of(picture)
    if not filters:
        spare = len(data) - size_of_samples(picture, components_of_picture(picture))
        if not 0 <= spare <= _SPARE or data[len(data) - spare :].strip():
            raise PdfRefused(AMBIGUOUS)
        return
    if filters[0] == "/FlateDecode" and not _is_whole(data, size_of_samples(picture, components_of_picture(picture))):
        raise PdfRefused(AMBIGUOUS)
    if not data.rstrip().endswith(_ENDS.get(filters[0], b"")):
        raise PdfRefused(AMBIGUOUS)  # some readers go on behind the data
    ends = [found.start() for found in _END.finditer(data)]
    if len(ends) > _MAX_ENDS:
        raise PdfRefused(AMBIGUOUS)
    for end in ends:
        try:
            _plain(holder, given, data[:end])
        except (PdfRefused, PdfError):
            continue  # no reader ends here, since the picture would not be whole
        raise PdfRefused(AMBIGUOUS)


def _is_whole(data: bytes, samples: int) -> bool:
    """Returns whether deflated data end with their checksum. `samples`: bytes of the picture."""
    inflate = zlib.decompressobj()
    try:
        inflate.decompress(data, 4 * samples + 64)
    except zlib.error:
        return False
    return inflate.eof


def _plain(holder: Pdf, given: Mapping[str, Object], data: bytes) -> Stream:
    picture, found = Stream(holder, data), set[str]()
    for key, value in given.items():
        if key != "/Length":
            picture[key] = value
        elif value != len(data):
            raise PdfRefused(AMBIGUOUS)
    plain_image(picture, found)
    decoded = [*picture.get(Name.Decode, Array())]
    if found or sorted({*zip(decoded[::2], decoded[1::2], strict=False)}) not in _PLAIN_DECODES:
        raise PdfRefused(AMBIGUOUS)
    return picture


def _entries(holder: Pdf, entries: bytes, spaces: Mapping[str, Space]) -> dict[str, Object]:
    """Returns the entries with the names of other pictures."""
    try:
        (instruction,) = parse_content_stream(Stream(holder, entries + b" n"))
        listed = list(instruction.operands)
        keys = [str(key) if isinstance(key, Name) else "" for key in listed[::2]]
        given = {_KEYS.get(key, key): value for key, value in zip(keys, listed[1::2], strict=True)}
    except (PdfError, ValueError):
        raise PdfRefused(AMBIGUOUS) from None
    if len(given) != len(keys) or "" in given:
        raise PdfRefused(AMBIGUOUS)
    if (space := given.get("/ColorSpace")) is not None:
        given["/ColorSpace"] = _space(space, spaces)
    return given


def _space(space: Object, spaces: Mapping[str, Space]) -> Object:
    """Returns the colour space of a picture; for one of the resources, a plain one with as many values."""
    if isinstance(space, Array):
        return Array([_space(one, {}) if isinstance(one, Name) else one for one in space])
    name = str(space)
    if name not in spaces:
        return Name(_SPACES.get(name, name))
    if name in _SPACES or spaces[name].samples not in _OF_SAMPLES:
        raise PdfRefused(AMBIGUOUS)
    return Name(_OF_SAMPLES[spaces[name].samples])

"""Limits of uploaded PDFs: pages, revisions, the decoded size of streams, fields and annotations.

The sealer reads all fields of a form and rewrites the annotations of the first page.
"""

from collections.abc import Iterable, Iterator
from zlib import decompressobj

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, StreamDecodeLevel

from domain.ports.uploads import PRINT_AGAIN

MAX_REVISIONS = 1_000
"""Maximum incremental updates of a file. The sealer reads them all."""

MAX_STREAM = 100_000_000
"""Maximum decoded bytes of a stream that is not an image."""

MAX_ALL = 1_000_000_000
"""Maximum decoded bytes of all streams: scans of some forty pages in colour."""

MAX_PIXELS = 250_000_000
"""Maximum pixels of an image; a scan of A4 at 1200 dpi has 140 million."""

MAX_FIELDS = 5_000
"""Maximum fields of a form; tax returns have several hundred."""

MAX_ANNOTATIONS = 5_000
"""Maximum annotations of a page."""

_MAX_FIELD_DEPTH = 32
_PIECE = 16_384
_INFLATED = 262_144

_IMAGE_FILTERS = frozenset({"/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode"})
FILTERS = {
    "/AHx": "/ASCIIHexDecode", "/A85": "/ASCII85Decode", "/LZW": "/LZWDecode", "/Fl": "/FlateDecode",
    "/RL": "/RunLengthDecode", "/CCF": "/CCITTFaxDecode", "/DCT": "/DCTDecode",
}  # fmt: skip
"""Filters by the abbreviations of inline pictures (table 92), which most readers know everywhere."""


_TOO_LARGE = f"The PDF becomes far larger when it is opened than a document needs. {PRINT_AGAIN}"
_TOO_MANY_PIXELS = f"A picture in the PDF has more than {MAX_PIXELS // 1_000_000} million pixels. Make it smaller."
_ENCRYPTED = f"The PDF is encrypted in parts. {PRINT_AGAIN}"
_DAMAGED_FORM = f"The form in the PDF is damaged. {PRINT_AGAIN}"
_TOO_MANY_FIELDS = f"The PDF has a form of more than {MAX_FIELDS:,} fields. {PRINT_AGAIN}"
_TOO_MANY_ANNOTATIONS = f"A page of the PDF has more than {MAX_ANNOTATIONS:,} annotations. {PRINT_AGAIN}"


class PdfRefused(Exception):
    """The file is not a PDF, or it is damaged, encrypted, active or too large. The message says what to do."""


def check_stream(stream: Stream, inflated: int) -> int:
    """Returns the decoded size of all streams so far, after `inflated` bytes of others. Raises `PdfRefused`."""
    filters = filters_of(stream)
    if "/Crypt" in filters:
        raise PdfRefused(_ENCRYPTED)
    is_image = stream.get(Name.Subtype) == Name.Image
    if is_image and int(stream.get(Name.Width, 0)) * int(stream.get(Name.Height, 0)) > MAX_PIXELS:
        raise PdfRefused(_TOO_MANY_PIXELS)
    most = MAX_ALL - inflated if is_image else min(MAX_STREAM, MAX_ALL - inflated)
    size = 0
    for piece in _decoded(stream, filters):
        size += len(piece)
        if size > most:
            raise PdfRefused(_TOO_LARGE)
    return inflated + size


def filters_of(stream: Stream) -> list[str]:
    """Returns the names of the filters of a stream, the outermost first, without abbreviations."""
    filters = stream.get(Name.Filter, Array())
    names = [str(name) for name in (filters if isinstance(filters, Array) else [filters])]
    return [FILTERS.get(name, name) for name in names]


def _decoded(stream: Stream, filters: list[str]) -> Iterable[bytes]:
    """Returns the decoded bytes in pieces; images are not decoded to pixels."""
    coded = [name for name in filters if name not in _IMAGE_FILTERS]
    if any(name != "/FlateDecode" for name in coded):
        # pikepdf decodes other filters at once, within the memory limit of this process
        has_image_filter = len(coded) < len(filters)
        return [stream.read_raw_bytes() if has_image_filter else stream.read_bytes(StreamDecodeLevel.specialized)]
    content = stream.read_raw_bytes()
    pieces: Iterable[bytes] = (content[at : at + _PIECE] for at in range(0, len(content), _PIECE))
    for _ in coded:
        pieces = _inflate(pieces)
    return pieces


def _inflate(pieces: Iterable[bytes]) -> Iterator[bytes]:
    inflater = decompressobj()
    for piece in pieces:
        rest = piece
        while rest and not inflater.eof:
            yield inflater.decompress(rest, _INFLATED)
            rest = inflater.unconsumed_tail


def check_annotations(page: Object) -> None:
    """Raises `PdfRefused` if the page has more than `MAX_ANNOTATIONS` annotations."""
    if len(page.get(Name.Annots, ())) > MAX_ANNOTATIONS:
        raise PdfRefused(_TOO_MANY_ANNOTATIONS)


def check_form(pdf: Pdf) -> None:
    """Raises `PdfRefused` if the form is damaged or too large."""
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, Dictionary):
        _count_fields(form.get(Name.Fields))


def _count_fields(fields: Object | None) -> int:
    """Returns the number of fields. A field listed twice is refused, so the walk ends."""
    seen: set[tuple[int, int]] = set()
    levels = [_fields(fields, seen)]
    count = 0
    while levels:
        field = next(levels[-1], None)
        if field is None:
            levels.pop()
            continue
        count += 1
        if count > MAX_FIELDS:
            raise PdfRefused(_TOO_MANY_FIELDS)
        if len(levels) > _MAX_FIELD_DEPTH:
            raise PdfRefused(_DAMAGED_FORM)
        levels.append(_fields(field.get(Name.Kids), seen))
    return count


def _fields(listed: Object | None, seen: set[tuple[int, int]]) -> Iterator[Object]:
    if listed is None:
        return
    if not isinstance(listed, Array):
        raise PdfRefused(_DAMAGED_FORM)
    for field in listed:
        if not isinstance(field, Dictionary) or (field.is_indirect and field.objgen in seen):
            raise PdfRefused(_DAMAGED_FORM)
        if field.is_indirect:
            seen.add(field.objgen)
        yield field

"""What the streams of a PDF become when they are decoded: counted piece by piece, never held. ISO 32000-2: 7.4."""

from collections.abc import Iterable, Iterator
from zlib import decompressobj

from pikepdf import Array, Name, Stream, StreamDecodeLevel

from application.uploads.pdf.errors import PdfRefused

MAX_STREAM = 100_000_000
"""Bytes of one stream that is no picture, decoded."""

MAX_ALL = 1_000_000_000
"""Bytes of all streams together, decoded: scans of some forty pages in colour."""

MAX_PIXELS = 250_000_000
"""Pixels of one picture; a scan of A4 at 1200 dots to the inch has 140 million."""

_PIECE = 16_384
_INFLATED = 262_144

_PICTURES = frozenset({"/DCTDecode", "/JPXDecode", "/JBIG2Decode", "/CCITTFaxDecode"})
"""Filters that make pixels, whose number the dictionary says."""

_SHORT = {"/Fl": "/FlateDecode", "/DCT": "/DCTDecode", "/CCF": "/CCITTFaxDecode"}

_TOO_LARGE = (
    "The PDF becomes far larger when it is opened than a document needs. Print it to a new PDF, and upload that."
)
_TOO_MANY_PIXELS = f"A picture in the PDF has more than {MAX_PIXELS // 1_000_000} million pixels. Make it smaller."
_ENCRYPTED = "The PDF is encrypted in parts. Print it to a new PDF, and upload that."


def check_stream(stream: Stream, inflated: int) -> int:
    """How many bytes all streams have so far, this one after `inflated` of others.

    Raises:
        PdfRefused: more than any document needs.
    """
    filters = _filters(stream)
    if "/Crypt" in filters:
        raise PdfRefused(_ENCRYPTED)
    is_picture = stream.get(Name.Subtype) == Name.Image
    if is_picture and int(stream.get(Name.Width, 0)) * int(stream.get(Name.Height, 0)) > MAX_PIXELS:
        raise PdfRefused(_TOO_MANY_PIXELS)
    most = MAX_ALL - inflated if is_picture else min(MAX_STREAM, MAX_ALL - inflated)
    size = 0
    for piece in _decoded(stream, filters):
        size += len(piece)
        if size > most:
            raise PdfRefused(_TOO_LARGE)
    return inflated + size


def _filters(stream: Stream) -> list[str]:
    found = stream.get(Name.Filter)
    if found is None:
        return []
    names = list(found) if isinstance(found, Array) else [found]
    return [_SHORT.get(str(name), str(name)) for name in names]


def _decoded(stream: Stream, filters: list[str]) -> Iterable[bytes]:
    """The stream's bytes in pieces, as far as they can be decoded without making pixels of them."""
    coded = [name for name in filters if name not in _PICTURES]
    if any(name != "/FlateDecode" for name in coded):
        # Old filters, which the library knows: all at once, within the memory that this process may have.
        every = len(coded) == len(filters)
        return [stream.read_bytes(StreamDecodeLevel.specialized) if every else stream.read_raw_bytes()]
    pieces: Iterable[bytes] = _pieces(stream.read_raw_bytes())
    for _ in coded:
        pieces = _inflate(pieces)
    return pieces


def _pieces(content: bytes) -> Iterator[bytes]:
    for at in range(0, len(content), _PIECE):
        yield content[at : at + _PIECE]


def _inflate(pieces: Iterable[bytes]) -> Iterator[bytes]:
    inflater = decompressobj()
    for piece in pieces:
        rest = piece
        while rest and not inflater.eof:
            yield inflater.decompress(rest, _INFLATED)
            rest = inflater.unconsumed_tail

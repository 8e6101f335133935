"""Streams of uploads, written so that no other kind of file stands in them (ISO 32000-2, 7.3.8 and 7.4).

A stream is compressed with Flate, unless it is an image of a filter of its own, or XMP metadata. Compressed data that
hold the mark of another format by chance are compressed again in another way.
"""

import re
import zlib
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from application.uploads.pdf_keys import keep, key_set
from application.uploads.pdf_limits import PdfRefused, filters_of
from domain.ports.uploads import PRINT_AGAIN

MARKS = re.compile(
    rb"%PDF-|%%EOF|startxref|PK\x03\x04|PK\x05\x06|<!doctype|<html|<head|<body|<script|<iframe|<svg", re.IGNORECASE
)
"""What other programs take for the beginning or the end of a file."""

_DECODED_BY_QPDF = key_set("FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode RunLengthDecode")
_LEVEL = 9
_PIECE = 65_536
_FOREIGN = f"The PDF holds data that other programs take for a file of another kind. {PRINT_AGAIN}"


def write_plain_streams(pdf: Pdf) -> None:
    """Writes every stream of `pdf` in the plain way. Raises `PdfRefused` or errors of pikepdf."""
    for thing in pdf.objects:
        if isinstance(thing, Stream):
            _write(thing, is_metadata=thing.get(Name.Type) == Name.Metadata and thing.get(Name.Subtype) == Name.XML)


def _write(stream: Stream, *, is_metadata: bool) -> None:
    filters, raw = filters_of(stream), stream.read_raw_bytes()
    for key in (Name.FFilter, Name.FDecodeParms, Name.DL):
        if key in stream:
            del stream[key]
    if set(filters) <= _DECODED_BY_QPDF:
        if filters == ["/FlateDecode"] and not is_metadata and not MARKS.search(raw) and _is_one_flate_stream(raw):
            _write_one_filter(stream)
            return
        content = stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
        if is_metadata and not MARKS.search(content):
            if filters:
                stream.write(content)
            return
        stream.write(_compressed(content), filter=Name.FlateDecode)
    elif MARKS.search(raw):
        parameters = stream.get(Name.DecodeParms)
        if isinstance(parameters, Dictionary):
            parameters = Array([parameters])
        first: list[Object | Dictionary] = [Dictionary()]
        stream.write(
            _compressed(raw),
            filter=Array([Name.FlateDecode, *(Name(name) for name in filters)]),
            decode_parms=None if parameters is None else Array([*first, *parameters]),
        )


def _write_one_filter(stream: Stream) -> None:
    """Writes the filter and its parameters without arrays."""
    parameters = stream.get(Name.DecodeParms)
    first = parameters[0] if isinstance(parameters, Array) and len(parameters) else parameters
    keep(stream, frozenset(key for key, _ in stream.items() if key != "/DecodeParms"))
    stream[Name.Filter] = Name.FlateDecode
    if isinstance(first, Dictionary):
        stream[Name.DecodeParms] = first


def _is_one_flate_stream(raw: bytes) -> bool:
    """Returns whether the data are one complete Flate stream, with at most a line end after it."""
    inflater = zlib.decompressobj()
    try:
        for at in range(0, len(raw), _PIECE):
            rest = raw[at : at + _PIECE]
            while rest and not inflater.eof:
                inflater.decompress(rest, _PIECE * 16)
                rest = inflater.unconsumed_tail
            if inflater.eof:
                return not (inflater.unused_data + raw[at + _PIECE :]).strip(b"\r\n")
    except zlib.error:
        return False
    return False


def _compressed(content: bytes) -> bytes:
    for packed in _ways(content):
        if not MARKS.search(packed):
            return packed
    raise PdfRefused(_FOREIGN)


def _ways(content: bytes) -> Iterator[bytes]:
    yield zlib.compress(content, _LEVEL)
    for strategy in (zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY):  # codes of bits: nothing stands in them as it is
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
        yield packer.compress(content) + packer.flush()

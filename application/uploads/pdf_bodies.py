"""Strict reader of the objects that stand in a PDF, and of their streams. ISO 32000-2, 7.3.8 and 7.3.10."""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import pikepdf

from application.uploads.pdf_syntax import BLANK, HEADER, Name, NotPlain, Parsed, Reference, Value, parse

PLACES = "objects that do not stand where its tables say"
STREAMS = "streams of another length than they say"

_STREAM = re.compile(BLANK.pattern + rb"stream(?:\r\n|\n)")
_STREAM_END = re.compile(rb"[\0\t\n\x0c\r ]*+endstream(?=[\0\t\n\x0c\r e%])")
_OBJECT_END = re.compile(BLANK.pattern + rb"endobj(?![^\0\t\n\x0c\r ()<>\[\]{}/%])")
_MAX_UNPACKED = 100_000_000


@dataclass(frozen=True, slots=True)
class Body:
    """An object that stands in the file, up to the byte `end`; if it is a stream, with its encoded bytes."""

    name: Reference
    parsed: Parsed
    end: int
    stream: bytes | None = None

    @property
    def entries(self) -> dict[bytes, Value]:
        """The entries of the dictionary. Raises `NotPlain` if the object has none."""
        if not isinstance(self.parsed.value, dict):
            raise NotPlain(PLACES)
        return self.parsed.value


def no_length(_: Reference) -> int:
    """Raises `NotPlain`: the length of a stream that others need has to stand in its dictionary."""
    raise NotPlain(STREAMS)


def read_body(data: bytes, at: int, length_of: Callable[[Reference], int] = no_length) -> Body:
    """Reads the object at `at`. `length_of` finds the length of a stream by reference. Raises `NotPlain`."""
    head = HEADER.match(data, at) if at == 0 or not data[at - 1 : at].isdigit() else None
    if head is None:
        raise NotPlain(PLACES)
    parsed = parse(data, head.end())
    end, stream = parsed.end, None
    begins = _STREAM.match(data, end)
    if begins:
        length = parsed.value.get(b"Length") if isinstance(parsed.value, dict) else None
        if isinstance(length, Reference):
            length = length_of(length)
        closes = _STREAM_END.match(data, begins.end() + length) if isinstance(length, int) else None
        if closes is None or not isinstance(length, int):
            raise NotPlain(STREAMS)
        stream, end = data[begins.end() : begins.end() + length], closes.end()
    ends = _OBJECT_END.match(data, end)
    if ends is None:
        raise NotPlain(PLACES)
    return Body(Reference(int(head[1]), int(head[2])), parsed, ends.end(), stream)


def unpacked(body: Body) -> bytes:
    """Returns the decoded contents of a cross-reference stream or an object stream. Raises `NotPlain`."""
    kind, parameters = body.entries.get(b"Filter"), body.entries.get(b"DecodeParms")
    kind, parameters = (one[0] if isinstance(one, list) and len(one) == 1 else one for one in (kind, parameters))
    if body.stream is None or kind not in {None, Name(b"FlateDecode")}:
        raise NotPlain(STREAMS)
    if kind is None:
        return body.stream
    inflating = zlib.decompressobj()
    try:
        contents = inflating.decompress(body.stream, _MAX_UNPACKED)
    except zlib.error as error:
        raise NotPlain(STREAMS) from error
    if not inflating.eof:
        raise NotPlain(STREAMS)
    return _unpredicted(contents, parameters) if isinstance(parameters, dict) else contents


def _unpredicted(contents: bytes, parameters: dict[bytes, Value]) -> bytes:
    numbers = {f"/{key.decode('latin-1')}": value for key, value in parameters.items() if isinstance(value, int)}
    if len(numbers) != len(parameters):
        raise NotPlain(STREAMS)
    with pikepdf.new() as pdf:
        stream = pdf.make_stream(zlib.compress(contents, 1), Filter=pikepdf.Name.FlateDecode)
        stream.DecodeParms = pikepdf.Dictionary(numbers)
        return stream.read_bytes()

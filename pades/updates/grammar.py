"""The incremental updates at the end of a PDF, read by a strict grammar that accounts for every byte.

An update is a run of indirect objects, one table or stream of their places, and the end of the file. Object streams,
freed objects, comments, places that lead elsewhere and objects without a place are refused. ISO 32000-1, 7.5.
"""

import re
import zlib
from dataclasses import dataclass
from itertools import pairwise

from pades.updates.syntax import Dictionary, DisallowedChange, Name, Reference, Scanner, Value

MAX_REVISIONS = 50
"""Of a PDF that is checked. A seal of the highest level takes three, and its renewal two."""

LONGEST_STREAM = 32 * 1024 * 1024
"""Bytes of a stream, unpacked. Large lists of revoked certificates have 10 MB."""

_OBJECT = re.compile(rb"(\d{1,10}) (\d{1,5}) obj(?=[ \r\n<\[])")
_STREAM = re.compile(rb"[ \r\n]*stream\r?\n")
_END_STREAM = re.compile(rb"\r?\n?endstream")
_END_OBJECT = re.compile(rb"[ \r\n]*endobj[ \r\n]+")
_TABLE = re.compile(rb"xref *\r?\n")
_SECTION = re.compile(rb"(\d{1,10}) (\d{1,7}) *\r?\n")
_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)")
_TRAILER = re.compile(rb"trailer(?=[ \r\n<])")
_END = re.compile(rb"[ \r\n]*startxref[ \r\n]+(\d{1,10})[ \r\n]+%%EOF(?:\r\n|\r|\n)?")
_STRUCTURE = re.compile(rb"\d\s+\d+\s+obj|endobj|endstream|startxref|[\r\n]xref|trailer|%%EOF|%PDF-")
"""Programs that repair files look for these, inside streams too."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as it is written; `raw` is between `stream` and `endstream`."""

    entries: Dictionary
    raw: bytes

    def data(self) -> bytes:
        """What it holds, unpacked."""
        if "Filter" not in self.entries:
            return self.raw
        if self.entries["Filter"] != Name("FlateDecode"):
            raise DisallowedChange("a stream is packed in an unusual way")
        unpacking = zlib.decompressobj()
        try:
            held = unpacking.decompress(self.raw, LONGEST_STREAM)
        except zlib.error as error:
            raise DisallowedChange("a stream cannot be unpacked") from error
        if not unpacking.eof or unpacking.unused_data:
            raise DisallowedChange("a stream is too long, or has more in it than is packed")
        return held


@dataclass(frozen=True, slots=True)
class Update:
    """One update: the objects that it defines, from byte `start` to `end` of the file.

    `objects` is without the cross-reference stream, which is object `xref`; None if there is a table in its place.
    `trailer` holds the entries of either.
    """

    objects: dict[Reference, Value | Stream]
    xref: Reference | None
    trailer: Dictionary
    startxref: int
    start: int
    end: int


def read_update(pdf: bytes, start: int) -> Update:
    """The update that begins at `start`.

    Raises:
        ForeignAddition: none does that is written as it should be.
    """
    scanner = Scanner(pdf, start)
    scanner.skip_space()
    objects: dict[Reference, Value | Stream] = {}
    places: dict[Reference, int] = {}
    xref: Reference | None = None
    while xref is None and (found := scanner.accept(_OBJECT)):
        identifier = Reference(int(found[1]), int(found[2]))
        if identifier.number in {known.number for known in places}:
            raise DisallowedChange("an object is defined twice")
        places[identifier] = found.start()
        objects[identifier] = held = _read_object(scanner)
        if isinstance(held, Stream) and held.entries.get("Type") == Name("XRef"):
            xref = identifier
    if xref is None:
        startxref = scanner.position
        listed, trailer = _read_table(scanner)
    else:
        startxref = places[xref]
        listed, trailer = _read_stream(objects.pop(xref))
    if listed != places:
        raise DisallowedChange("its table of objects leads elsewhere")
    if int(scanner.expect(_END)[1]) != startxref:
        raise DisallowedChange("its end leads elsewhere")
    return Update(objects, xref, trailer, startxref, start, scanner.position)


def _read_object(scanner: Scanner) -> Value | Stream:
    value = scanner.value()
    held: Value | Stream = value
    if isinstance(value, dict) and scanner.accept(_STREAM):
        length = value.get("Length")
        if not isinstance(length, int) or length < 0:
            raise DisallowedChange("a stream does not say how long it is")
        raw = scanner.data[scanner.position : scanner.position + length]
        scanner.position += length
        scanner.expect(_END_STREAM)
        if _STRUCTURE.search(raw):
            raise DisallowedChange("a stream holds what looks like objects")
        held = Stream(value, raw)
    scanner.expect(_END_OBJECT)
    return held


def _read_table(scanner: Scanner) -> tuple[dict[Reference, int], Dictionary]:
    scanner.expect(_TABLE)
    listed: list[tuple[int, int, int, bool]] = []
    while section := scanner.accept(_SECTION):
        for number in range(int(section[1]), int(section[1]) + int(section[2])):
            entry = scanner.expect(_ENTRY)
            listed.append((number, int(entry[1]), int(entry[2]), entry[3] == b"n"))
    scanner.expect(_TRAILER)
    return _places(listed), scanner.dictionary()


def _read_stream(stream: Value | Stream) -> tuple[dict[Reference, int], Dictionary]:
    if not isinstance(stream, Stream):
        raise TypeError(stream)
    widths, index = _numbers(stream.entries.get("W")), _numbers(stream.entries.get("Index"))
    if len(widths) != 3 or not all(1 <= width <= 8 for width in widths) or len(index) % 2:
        raise DisallowedChange("its table of objects is written in an unusual way")
    data, size = stream.data(), sum(widths)
    if len(data) != size * sum(index[1::2]):
        raise DisallowedChange("its table of objects has another length")
    numbers = [first + more for first, count in zip(index[::2], index[1::2], strict=True) for more in range(count)]
    listed = []
    for place, number in enumerate(numbers):
        row = data[place * size : (place + 1) * size]
        cuts = (0, widths[0], widths[0] + widths[1], size)
        kind, at, generation = (int.from_bytes(row[start:end], "big") for start, end in pairwise(cuts))
        if kind > 1:
            raise DisallowedChange("its objects are packed into streams")
        listed.append((number, at, generation, kind == 1))
    return _places(listed), stream.entries


def _places(listed: list[tuple[int, int, int, bool]]) -> dict[Reference, int]:
    """Where each object is. Only object 0, which every table begins with, is free."""
    if len({number for number, _, _, _ in listed}) != len(listed):
        raise DisallowedChange("its table of objects names one twice")
    if any((number == 0) is is_used or (not is_used and at != 0) for number, at, _, is_used in listed):
        raise DisallowedChange("it frees objects")
    return {Reference(number, generation): at for number, at, generation, is_used in listed if is_used}


def _numbers(value: Value | None) -> list[int]:
    if not isinstance(value, list):
        raise DisallowedChange("its table of objects is written in an unusual way")
    numbers = [one for one in value if isinstance(one, int) and 0 <= one < 10_000_000]
    if len(numbers) != len(value):
        raise DisallowedChange("its table of objects is written in an unusual way")
    return numbers

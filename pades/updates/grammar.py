"""Parser for the incremental updates of a PDF: a strict grammar that accounts for every byte.

An update consists of indirect objects, one cross-reference table or stream, and the end of the file. Object streams,
freed objects, comments, wrong offsets and objects without an offset are rejected. ISO 32000-1, 7.5.
"""

import re
import zlib
from dataclasses import dataclass
from itertools import pairwise

from pades.updates.syntax import Dictionary, DisallowedChange, Name, Reference, Scanner, Value

MAX_REVISIONS = 50
"""Limit of revisions in a PDF that is validated. A seal of level B-LTA takes three, each renewal two."""

LONGEST_STREAM = 32 * 1024 * 1024
"""Limit of a decompressed stream in bytes. Large CRLs have 10 MB."""

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
"""Programs that repair files search for these keywords, inside streams too."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream object. `raw` holds the bytes between `stream` and `endstream`."""

    entries: Dictionary
    raw: bytes

    def data(self) -> bytes:
        """Returns the decompressed contents."""
        if "Filter" not in self.entries:
            return self.raw
        if self.entries["Filter"] != Name("FlateDecode"):
            raise DisallowedChange("a stream is packed in an unusual way")
        decompressor = zlib.decompressobj()
        try:
            contents = decompressor.decompress(self.raw, LONGEST_STREAM)
        except zlib.error as error:
            raise DisallowedChange("a stream cannot be unpacked") from error
        if not decompressor.eof or decompressor.unused_data:
            raise DisallowedChange("a stream is too long, or has more in it than is packed")
        return contents


@dataclass(frozen=True, slots=True)
class Update:
    """One update: the objects that it defines, from byte `start` to `end` of the file.

    `objects` excludes the cross-reference stream. `xref` identifies that stream; None if there is a table instead.
    `trailer` holds the entries of the trailer or of the stream.
    """

    objects: dict[Reference, Value | Stream]
    xref: Reference | None
    trailer: Dictionary
    startxref: int
    start: int
    end: int


def read_update(pdf: bytes, start: int) -> Update:
    """Reads the update that begins at byte `start`.

    Raises:
        DisallowedChange: it does not follow the grammar.
    """
    scanner = Scanner(pdf, start)
    scanner.skip_space()
    objects: dict[Reference, Value | Stream] = {}
    places: dict[Reference, int] = {}
    xref: Reference | None = None
    while xref is None and (match := scanner.accept(_OBJECT)):
        identifier = Reference(int(match[1]), int(match[2]))
        if identifier.number in {known.number for known in places}:
            raise DisallowedChange("an object is defined twice")
        places[identifier] = match.start()
        objects[identifier] = content = _read_object(scanner)
        if isinstance(content, Stream) and content.entries.get("Type") == Name("XRef"):
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
    content: Value | Stream = value
    if isinstance(value, dict) and scanner.accept(_STREAM):
        length = value.get("Length")
        if not isinstance(length, int) or length < 0:
            raise DisallowedChange("a stream does not say how long it is")
        raw = scanner.data[scanner.position : scanner.position + length]
        scanner.position += length
        scanner.expect(_END_STREAM)
        if _STRUCTURE.search(raw):
            raise DisallowedChange("a stream holds what looks like objects")
        content = Stream(value, raw)
    scanner.expect(_END_OBJECT)
    return content


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
    """Returns the offset of each object. Only object 0, with which each table begins, may be free."""
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

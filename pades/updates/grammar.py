"""Parser for the incremental updates of a PDF: a strict grammar that accounts for every byte. ISO 32000-2, 7.2 to 7.5.

An update consists of indirect objects, some of them in object streams, one cross-reference table or stream, and the end
of the file. Freed objects, comments, repeated keys, line ends in strings, wrong offsets and objects without an offset
are rejected, so all PDF readers interpret an accepted update alike.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

_DEEPEST = 50
_AFTER = rb"(?![^ \t\r\n()<>\[\]/])"
_SPACE = re.compile(rb"[ \t\r\n]*")
_NAME = re.compile(rb"/((?:[!-~](?<![()<>\[\]{}/%#])|#[0-9A-Fa-f]{2})+)")
_REFERENCE = re.compile(rb"(\d{1,10})[ \r\n]+(\d{1,5})[ \r\n]+R" + _AFTER)
_NUMBER = re.compile(rb"[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})" + _AFTER)
_KEYWORD = re.compile(rb"(?:true|false|null)" + _AFTER)
_HEXADECIMAL = re.compile(rb"<((?:[0-9A-Fa-f]{2})*)>")
_LITERAL = re.compile(rb"\(((?:[^\\()\r\n]|\\(?:[nrtbf()\\]|[0-3][0-7]{2}))*)\)")
_ESCAPE = re.compile(rb"\\([nrtbf()\\]|[0-7]{3})")
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


class DisallowedChange(Exception):
    """Something other than validation data was added to a sealed PDF. The message contains no content of the file."""


class Reference(NamedTuple):
    """An indirect reference, or the identifier of an indirect object."""

    number: int
    generation: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name object without its slash. `#` escapes are not decoded."""

    text: str


@dataclass(frozen=True, slots=True)
class Keyword:
    """`true`, `false` or `null`. A separate type, because `True == 1` in Python."""

    text: str


Value = int | Decimal | bytes | Name | Keyword | Reference | list["Value"] | dict[str, "Value"]
Dictionary = dict[str, Value]


class Scanner:
    """Reads `data` from `position`. Methods move `position` past what they read, or raise `DisallowedChange`."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self.data = data
        self.position = position

    def accept(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """Returns the match of `pattern` at the position; None if it does not match."""
        match = pattern.match(self.data, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def expect(self, pattern: re.Pattern[bytes]) -> re.Match[bytes]:
        """Returns the match of `pattern` at the position; raises `DisallowedChange` if it does not match."""
        match = self.accept(pattern)
        if match is None:
            raise DisallowedChange("its syntax is not that of the permitted objects, ISO 32000-2, 7.3")
        return match

    def value(self, depth: int = 0) -> Value:
        """Returns the next value."""
        self.accept(_SPACE)
        if depth > _DEEPEST:
            raise DisallowedChange("values are nested too deeply")
        if self.data.startswith(b"<<", self.position):
            return self._dictionary(depth)
        if self.data.startswith(b"[", self.position):
            return self._array(depth)
        return self._simple()

    def dictionary(self) -> Dictionary:
        """Returns the next value, which must be a dictionary."""
        value = self.value()
        if not isinstance(value, dict):
            raise DisallowedChange("a value is not a dictionary")
        return value

    def _dictionary(self, depth: int) -> Dictionary:
        self.position += 2
        entries: Dictionary = {}
        while not self._ends(b">>"):
            key = self.expect(_NAME)[1].decode("ascii")
            if key in entries:
                raise DisallowedChange("a dictionary has a key twice, ISO 32000-2, 7.3.7")
            entries[key] = self.value(depth + 1)
        return entries

    def _array(self, depth: int) -> list[Value]:
        self.position += 1
        items: list[Value] = []
        while not self._ends(b"]"):
            items.append(self.value(depth + 1))
        return items

    def _ends(self, mark: bytes) -> bool:
        self.accept(_SPACE)
        if not self.data.startswith(mark, self.position):
            return False
        self.position += len(mark)
        return True

    def _simple(self) -> Value:
        if match := self.accept(_REFERENCE):
            return Reference(int(match[1]), int(match[2]))
        if match := self.accept(_NUMBER):
            written = match[0].decode("ascii")
            return Decimal(written) if "." in written else int(written)
        if match := self.accept(_NAME):
            return Name(match[1].decode("ascii"))
        if match := self.accept(_KEYWORD):
            return Keyword(match[0].decode("ascii"))
        if match := self.accept(_HEXADECIMAL):
            return bytes.fromhex(match[1].decode("ascii"))
        return _ESCAPE.sub(_unescaped, self.expect(_LITERAL)[1])


def _unescaped(escape: re.Match[bytes]) -> bytes:
    sign = escape[1]
    return bytes([int(sign, 8)]) if sign.isdigit() else _ESCAPED.get(sign, sign)


MAX_REVISIONS = 50
"""Limit of revisions in a PDF that is validated. A seal of level B-LTA takes three, each renewal two."""

MAX_STREAM = 32 * 1024 * 1024
"""Limit of a decompressed stream in bytes. Large CRLs have 10 MB."""

_OBJECT = re.compile(rb"(\d{1,10}) (\d{1,5}) obj(?=[ \r\n<\[])")
_STREAM = re.compile(rb"[ \r\n]*stream\r?\n")
_END_STREAM = re.compile(rb"\r?\n?endstream")
_END_OBJECT = re.compile(rb"[ \r\n]*endobj[ \r\n]+")
_TABLE = re.compile(rb"xref *\r?\n")
_SECTION = re.compile(rb"(\d{1,10}) (\d{1,7}) *\r?\n")
_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)")
_TRAILER = re.compile(rb"trailer(?=[ \r\n<])")
_HEAD = re.compile(rb"(?:\d{1,10}[ \r\n]+\d{1,10}[ \r\n]+)+")
"""The numbers and offsets of the objects in an object stream. ISO 32000-2, 7.5.7."""

_PACKED = {"Type", "N", "First", "Length", "Filter"}
_FREE, _STANDS, _IN_STREAM = 0, 1, 2
"""Types of entries of a cross-reference stream. ISO 32000-2, table 18."""

_WIDEST = 8
_PNG_PREDICTORS = range(10, 16)
_UP = 2
"""The algorithm of PNG predictors that subtracts the row above."""

_END = re.compile(rb"[ \r\n]*startxref[ \r\n]+(\d{1,10})[ \r\n]+%%EOF(?:\r\n|\r|\n)?")
_STRUCTURE = re.compile(rb"\d\s+\d+\s+obj|endobj|endstream|startxref|[\r\n]xref|trailer|%%EOF|%PDF-")
"""Keywords for which programs search when they repair a file, even inside streams."""


class Place(NamedTuple):
    """Where an object is: at offset `at` of the file, or at index `at` of the object stream `container`."""

    at: int
    container: int | None = None


class _Row(NamedTuple):
    """An entry of a cross-reference section: number and type, and the two values of that type."""

    number: int
    kind: int
    at: int
    other: int


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream object. `raw` holds the bytes between `stream` and `endstream`."""

    entries: Dictionary
    raw: bytes

    def data(self) -> bytes:
        """Returns the decompressed contents. `DecodeParms` are not applied."""
        if "Filter" not in self.entries:
            return self.raw
        if self.entries["Filter"] != Name("FlateDecode"):
            raise DisallowedChange("a stream has a Filter other than FlateDecode, ISO 32000-2, 7.4")
        decompressor = zlib.decompressobj()
        try:
            contents = decompressor.decompress(self.raw, MAX_STREAM)
        except zlib.error as error:
            raise DisallowedChange("a stream cannot be decoded, ISO 32000-2, 7.4.4") from error
        if not decompressor.eof or decompressor.unused_data:
            raise DisallowedChange("a stream is too long, cut off, or followed by other bytes, ISO 32000-2, 7.4.4")
        return contents


@dataclass(frozen=True, slots=True)
class Update:
    """One update: the objects that it defines, from byte `start` to `end` of the file.

    `objects` excludes the `containers`: object streams and the cross-reference stream. `packed` are those in object
    streams. `xref` identifies the cross-reference stream; None if there is a table instead.
    `trailer` holds the entries of the trailer or of the stream.
    """

    objects: dict[Reference, Value | Stream]
    packed: frozenset[Reference]
    containers: frozenset[Reference]
    xref: Reference | None
    trailer: Dictionary
    startxref: int
    start: int
    end: int


def read_update(pdf: bytes, start: int) -> Update:
    """Reads the update that begins at byte `start`. Raises `DisallowedChange` if it does not follow the grammar."""
    scanner = Scanner(pdf, start)
    scanner.accept(_SPACE)
    defined: list[tuple[Reference, Value | Stream, Place]] = []
    containers: set[Reference] = set()
    xref: Reference | None = None
    while xref is None and (match := scanner.accept(_OBJECT)):
        identifier = Reference(int(match[1]), int(match[2]))
        content = _read_object(scanner)
        defined.append((identifier, content, Place(match.start())))
        kind = content.entries.get("Type") if isinstance(content, Stream) else None
        if isinstance(content, Stream) and kind == Name("ObjStm"):
            containers.add(identifier)
            for index, (number, value) in enumerate(_unpacked(content)):
                defined.append((Reference(number, 0), value, Place(index, identifier.number)))
        xref = identifier if kind == Name("XRef") else None
    if len({identifier.number for identifier, _, _ in defined}) != len(defined):
        raise DisallowedChange("an object is defined twice, ISO 32000-2, 7.5.6")
    objects = {identifier: content for identifier, content, _ in defined}
    places = {identifier: place for identifier, _, place in defined}
    if xref is None:
        startxref = scanner.position
        listed, trailer = _read_table(scanner)
    else:
        startxref = places[xref].at
        listed, trailer = _read_stream(objects[xref])
        containers.add(xref)
    if listed != places:
        raise DisallowedChange(
            "its cross-reference section does not list its objects at their offsets, ISO 32000-2, 7.5.4"
        )
    if int(scanner.expect(_END)[1]) != startxref:
        raise DisallowedChange("its startxref is not the offset of its cross-reference section, ISO 32000-2, 7.5.5")
    packed = frozenset(identifier for identifier, place in places.items() if place.container is not None)
    kept = {identifier: content for identifier, content in objects.items() if identifier not in containers}
    return Update(kept, packed, frozenset(containers), xref, trailer, startxref, start, scanner.position)


def _unpacked(stream: Stream) -> Iterator[tuple[int, Value]]:
    """Yields the numbers and values of the objects in an object stream. ISO 32000-2, 7.5.7."""
    contents, first = stream.data(), stream.entries.get("First")
    head = contents[:first] if isinstance(first, int) else b""
    written = [int(word) for word in head.split()] if _HEAD.fullmatch(head) else []
    if (
        not written
        or len(head) != first
        or stream.entries.get("N") != len(written) // 2
        or stream.entries.keys() - _PACKED
    ):
        raise DisallowedChange("it has an unusual object stream, ISO 32000-2, 7.5.7")
    scanner = Scanner(contents, len(head))
    for number, offset in zip(written[::2], written[1::2], strict=True):
        if scanner.position != len(head) + offset:
            raise DisallowedChange("an object stream does not list its objects at their offsets, ISO 32000-2, 7.5.7")
        yield number, scanner.value()
        scanner.accept(_SPACE)
    if scanner.position != len(contents):
        raise DisallowedChange("an object stream holds more than its objects, ISO 32000-2, 7.5.7")


def _read_object(scanner: Scanner) -> Value | Stream:
    value = scanner.value()
    content: Value | Stream = value
    if isinstance(value, dict) and scanner.accept(_STREAM):
        length = value.get("Length")
        if not isinstance(length, int) or length < 0:
            raise DisallowedChange("a stream has no direct Length, ISO 32000-2, 7.3.8.2")
        raw = scanner.data[scanner.position : scanner.position + length]
        scanner.position += length
        scanner.expect(_END_STREAM)
        if _STRUCTURE.search(raw):
            raise DisallowedChange("a stream contains keywords such as obj or startxref")
        content = Stream(value, raw)
    scanner.expect(_END_OBJECT)
    return content


def _read_table(scanner: Scanner) -> tuple[dict[Reference, Place], Dictionary]:
    scanner.expect(_TABLE)
    rows: list[_Row] = []
    while section := scanner.accept(_SECTION):
        for number in range(int(section[1]), int(section[1]) + int(section[2])):
            entry = scanner.expect(_ENTRY)
            rows.append(_Row(number, _STANDS if entry[3] == b"n" else _FREE, int(entry[1]), int(entry[2])))
    scanner.expect(_TRAILER)
    return _places(rows), scanner.dictionary()


def _read_stream(stream: Value | Stream) -> tuple[dict[Reference, Place], Dictionary]:
    if not isinstance(stream, Stream):
        raise TypeError(stream)
    widths, index = _numbers(stream.entries.get("W")), _numbers(stream.entries.get("Index"))
    if len(widths) != 3 or not all(0 < width <= _WIDEST for width in widths) or not index or len(index) % 2:
        raise DisallowedChange("its cross-reference stream has an unusual W or Index entry, ISO 32000-2, 7.5.8.2")
    size = sum(widths)
    data = _without_predictor(stream, size)
    if len(data) != size * sum(index[1::2]):
        raise DisallowedChange("its cross-reference stream has another length than its Index, ISO 32000-2, 7.5.8.2")
    numbers = [first + more for first, count in zip(index[::2], index[1::2], strict=True) for more in range(count)]
    rows = []
    for place, number in enumerate(numbers):
        row = data[place * size : (place + 1) * size]
        cuts = (0, widths[0], widths[0] + widths[1], size)
        kind, at, other = (int.from_bytes(row[start:end], "big") for start, end in pairwise(cuts))
        rows.append(_Row(number, kind, at, other))
    return _places(rows), stream.entries


def _without_predictor(stream: Stream, size: int) -> bytes:
    """Returns the rows of a cross-reference stream, `size` bytes each, of which each may be predicted by the last."""
    data, parameters = stream.data(), stream.entries.get("DecodeParms")
    if parameters is None:
        return data
    if (
        not isinstance(parameters, dict)
        or parameters.keys() != {"Columns", "Predictor"}
        or parameters["Columns"] != size
        or parameters["Predictor"] not in _PNG_PREDICTORS
        or "Filter" not in stream.entries
        or any(kind != _UP for kind in data[:: size + 1])
        or len(data) % (size + 1)
    ):
        raise DisallowedChange("its cross-reference stream has an unusual predictor, ISO 32000-2, 7.4.4.4")
    rows = [bytes(size)]
    for at in range(1, len(data), size + 1):
        rows.append(bytes((one + above) % 256 for one, above in zip(data[at : at + size], rows[-1], strict=True)))
    return b"".join(rows[1:])


def _places(rows: list[_Row]) -> dict[Reference, Place]:
    """Returns the place of each object. Only object 0, with which each table begins, may be free."""
    if len({row.number for row in rows}) != len(rows):
        raise DisallowedChange("its cross-reference section lists an object twice, ISO 32000-2, 7.5.4")
    if any(row.kind not in {_FREE, _STANDS, _IN_STREAM} for row in rows):
        raise DisallowedChange("its cross-reference stream has an unknown type of entry, ISO 32000-2, 7.5.8.3")
    if any((row.number == 0) is not (row.kind == _FREE) or (row.kind == _FREE and row.at != 0) for row in rows):
        raise DisallowedChange("it frees objects, ISO 32000-2, 7.5.4")
    return {
        Reference(row.number, 0 if row.kind == _IN_STREAM else row.other): (
            Place(row.other, row.at) if row.kind == _IN_STREAM else Place(row.at)
        )
        for row in rows
        if row.kind != _FREE
    }


def _numbers(value: Value | None) -> list[int]:
    """Returns the items of an array of numbers; none for another value."""
    items = value if isinstance(value, list) else []
    numbers = [one for one in items if isinstance(one, int) and 0 <= one < 10_000_000]
    return numbers if len(numbers) == len(items) else []

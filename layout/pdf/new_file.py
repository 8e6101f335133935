"""New PDF files, byte by byte: numbered objects, object streams, the cross-reference stream. ISO 32000-1, 7.5.

Streams are written as they come. All other objects wait and go into object streams, which compress far better than
objects one by one.
"""

from collections.abc import Iterator
from hashlib import sha256

import deflate

_LEVEL = 1  # half the time of 6 for a twentieth more bytes


def compress(contents: bytes) -> bytes:
    """`contents` as PDF's FlateDecode reads them. Same input, same bytes, on every machine."""
    return bytes(deflate.zlib_compress(contents, _LEVEL))


_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
_IN_ONE_STREAM = 400
"""Objects in one object stream: a reader inflates all of it to get at one of them."""

_FREE, _PLAIN, _PACKED = 0, 1, 2  # the types of entries in a cross-reference stream


class NewFile:
    """A PDF while it is written. No time and nothing random goes into it: same objects, same bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = [_HEAD]
        self._length = len(_HEAD)
        self._places: list[tuple[int, int, int]] = [(_FREE, 0, 65535)]
        self._waiting: dict[int, str] = {}

    def reserve(self) -> int:
        """The number of a new object, to be defined later."""
        self._places.append((_FREE, 0, 0))
        return len(self._places) - 1

    def define(self, number: int, definition: str) -> None:
        """Says what object `number` is. `definition` is ASCII."""
        self._waiting[number] = definition

    def define_stream(self, number: int, entries: str, contents: bytes, *, plain: bool = False) -> None:
        """Makes object `number` a stream, compressed unless it has to stay `plain`."""
        stored = contents if plain else compress(contents)
        kind = "" if plain else "/Filter/FlateDecode"
        self._places[number] = (_PLAIN, self._length, 0)
        head = f"{number} 0 obj\n<<{entries}{kind}/Length {len(stored)}>>stream\n".encode("ascii")
        self._write(head, stored, b"\nendstream\nendobj\n")

    def finish(self, catalog: int, about: int) -> bytes:
        """The whole file. Its identifier is a hash of all that is in it."""
        for numbers in self._bundles():
            self._pack(numbers)
        digest = sha256()
        for part in self._parts:
            digest.update(part)
        identifier = digest.hexdigest()[:32]
        number, start = self.reserve(), self._length
        self._places[number] = (_PLAIN, start, 0)
        table = b"".join(
            kind.to_bytes(1, "big") + place.to_bytes(4, "big") + index.to_bytes(2, "big")
            for kind, place, index in self._places
        )
        self.define_stream(
            number,
            f"/Type/XRef/Size {len(self._places)}/W[1 4 2]/Root {catalog} 0 R/Info {about} 0 R"
            f"/ID[<{identifier}><{identifier}>]",
            table,
        )
        self._write(f"startxref\n{start}\n%%EOF\n".encode("ascii"))
        return b"".join(self._parts)

    def _bundles(self) -> Iterator[list[int]]:
        numbers = sorted(self._waiting)
        for first in range(0, len(numbers), _IN_ONE_STREAM):
            yield numbers[first : first + _IN_ONE_STREAM]

    def _pack(self, numbers: list[int]) -> None:
        """One object stream: where each object begins, then the objects."""
        stream = self.reserve()
        index: list[str] = []
        length = 0
        for at, number in enumerate(numbers):
            index.append(f"{number} {length}")
            length += len(self._waiting[number]) + 1
            self._places[number] = (_PACKED, stream, at)
        head = " ".join(index) + "\n"
        body = "\n".join(self._waiting[number] for number in numbers)
        entries = f"/Type/ObjStm/N {len(numbers)}/First {len(head)}"
        self.define_stream(stream, entries, (head + body).encode("ascii"))

    def _write(self, *parts: bytes) -> None:
        self._parts += parts
        self._length += sum(map(len, parts))

"""DER (ITU-T X.690, 10 and 11): strict parsing into elements, and writing.

The libraries for certificates and CMS accept BER too, so one value can have many encodings there. Here it has one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

SEQUENCE, SET, INTEGER, BIT_STRING, OCTET_STRING, OBJECT_IDENTIFIER = 0x30, 0x31, 0x02, 0x03, 0x04, 0x06
EXPLICIT_0, IMPLICIT_1 = 0xA0, 0xA1
_CONSTRUCTED = 0x20
_BOOLEAN, _NULL = 0x01, 0x05
_STRINGS = {0x03, 0x04, 0x0C, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1A, 0x1B, 0x1C, 0x1E}
_DEEPEST = 40


class NotDer(ValueError):
    """The bytes are not one DER value. The message contains no content."""


@dataclass(frozen=True, slots=True)
class Element:
    """One value: its tag (one byte), its content, and both as written with the length between them."""

    tag: int
    content: bytes
    written: bytes

    def children(self) -> list["Element"]:
        """Returns the elements of a constructed value. Raises `NotDer`."""
        return list(_elements(self.content))


def read(data: bytes) -> Element:
    """Returns the one value that fills `data`. Raises `NotDer`."""
    found = list(_elements(data))
    if len(found) != 1:
        raise NotDer("There is not exactly one value.")
    return found[0]


def first_length(data: bytes) -> int:
    """Returns the number of bytes of the first value in `data`. Raises `NotDer`."""
    return _end(data, 0)[1]


def write(tag: int, *parts: bytes) -> bytes:
    """Returns the value with the concatenated `parts` as its content."""
    content = b"".join(parts)
    length = len(content)
    if length < 0x80:
        return bytes((tag, length)) + content
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(octets))) + octets + content


def write_set(parts: Iterable[bytes]) -> bytes:
    """Returns a `SET OF`, whose items DER sorts."""
    return write(SET, *sorted(parts))


def expect_der(data: bytes) -> None:
    """Raises `NotDer` unless `data` is one DER value, down to its primitive values."""
    _check(read(data), 0)


def _elements(data: bytes) -> Iterable[Element]:
    at = 0
    while at < len(data):
        start, end = _end(data, at)
        yield Element(data[at], data[start:end], data[at:end])
        at = end


def _end(data: bytes, at: int) -> tuple[int, int]:
    """Returns the offsets of the start and the end of the content of the value at `at`."""
    if len(data) < at + 2 or data[at] & 0x1F == 0x1F:
        raise NotDer("A value is cut off, or has a long tag.")
    length, start = data[at + 1], at + 2
    if length & 0x80:
        more = length & 0x7F
        octets = data[start : start + more]
        length = int.from_bytes(octets, "big")
        if not 1 <= more <= 4 or len(octets) < more or octets[0] == 0 or length < 0x80:
            raise NotDer("A length is indefinite, cut off, or longer than it needs to be.")
        start += more
    if start + length > len(data):
        raise NotDer("A value is cut off.")
    return start, start + length


def _check(one: Element, depth: int) -> None:
    if depth > _DEEPEST:
        raise NotDer("Values are nested too deeply.")
    tag, content = one.tag & ~_CONSTRUCTED, one.content
    if one.tag & _CONSTRUCTED:
        if tag in _STRINGS:
            raise NotDer("A string is divided.")
        for child in one.children():
            _check(child, depth + 1)
        return
    is_wrong = {
        _BOOLEAN: content not in {b"\0", b"\xff"},
        INTEGER: not content or (len(content) > 1 and (content[0], content[1] >> 7) in {(0, 0), (0xFF, 1)}),
        _NULL: bool(content),
        BIT_STRING: not content or content[0] > 7 or bool(content[-1] & ((1 << content[0]) - 1)),
    }
    if is_wrong.get(tag, False):
        raise NotDer("A value has another encoding than DER allows.")

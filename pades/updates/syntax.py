"""Values of a PDF, read by a strict grammar: what the writers of evidence write, and no other spelling of it.

There are no comments, no keys that come twice, no line ends in strings. A value has one reading, so every reader of
PDFs agrees on it. ISO 32000-1, 7.2 and 7.3.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
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
    """Something was added to a sealed PDF that is not evidence. The text says what, and holds nothing of the file."""


class Reference(NamedTuple):
    """An indirect reference, or the identifier of an indirect object."""

    number: int
    generation: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name object, without its slash. `#` escapes stay as they are written."""

    text: str


@dataclass(frozen=True, slots=True)
class Keyword:
    """`true`, `false` or `null`. Of its own type: in Python, `True == 1`."""

    text: str


Value = int | Decimal | bytes | Name | Keyword | Reference | list["Value"] | dict[str, "Value"]
Dictionary = dict[str, Value]


class Scanner:
    """Reads `data` from `position`. Each method moves `position` past what it reads, or raises `DisallowedChange`."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self.data = data
        self.position = position

    def accept(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """What `pattern` matches here."""
        found = pattern.match(self.data, self.position)
        if found is not None:
            self.position = found.end()
        return found

    def expect(self, pattern: re.Pattern[bytes]) -> re.Match[bytes]:
        """As `accept`; raises where it matches nothing."""
        found = self.accept(pattern)
        if found is None:
            raise DisallowedChange("it is not written as evidence is written")
        return found

    def skip_space(self) -> None:
        self.accept(_SPACE)

    def value(self, depth: int = 0) -> Value:
        """The next value."""
        self.skip_space()
        if depth > _DEEPEST:
            raise DisallowedChange("values stand too deep in each other")
        if self.data.startswith(b"<<", self.position):
            return self._dictionary(depth)
        if self.data.startswith(b"[", self.position):
            return self._array(depth)
        return self._simple()

    def dictionary(self) -> Dictionary:
        """The next value, which must be a dictionary."""
        found = self.value()
        if not isinstance(found, dict):
            raise DisallowedChange("something else stands in place of a dictionary")
        return found

    def _dictionary(self, depth: int) -> Dictionary:
        self.position += 2
        found: Dictionary = {}
        while not self._ends(b">>"):
            key = self.expect(_NAME)[1].decode("ascii")
            if key in found:
                raise DisallowedChange("a dictionary has a key twice")
            found[key] = self.value(depth + 1)
        return found

    def _array(self, depth: int) -> list[Value]:
        self.position += 1
        found: list[Value] = []
        while not self._ends(b"]"):
            found.append(self.value(depth + 1))
        return found

    def _ends(self, mark: bytes) -> bool:
        self.skip_space()
        if not self.data.startswith(mark, self.position):
            return False
        self.position += len(mark)
        return True

    def _simple(self) -> Value:
        if found := self.accept(_REFERENCE):
            return Reference(int(found[1]), int(found[2]))
        if found := self.accept(_NUMBER):
            written = found[0].decode("ascii")
            return Decimal(written) if "." in written else int(written)
        if found := self.accept(_NAME):
            return Name(found[1].decode("ascii"))
        if found := self.accept(_KEYWORD):
            return Keyword(found[0].decode("ascii"))
        if found := self.accept(_HEXADECIMAL):
            return bytes.fromhex(found[1].decode("ascii"))
        return _ESCAPE.sub(_unescaped, self.expect(_LITERAL)[1])


def _unescaped(escape: re.Match[bytes]) -> bytes:
    sign = escape[1]
    return bytes([int(sign, 8)]) if sign.isdigit() else _ESCAPED.get(sign, sign)

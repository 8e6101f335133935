"""Scanner for PDF values, by a strict grammar: only the spellings that writers of validation data use.

Comments, repeated keys and line ends in strings are rejected, so all PDF readers interpret an accepted value alike.
ISO 32000-1, 7.2 and 7.3.
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
    """Something other than validation data was added to a sealed PDF. The message holds no content of the file."""


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
            raise DisallowedChange("it is not written as evidence is written")
        return match

    def skip_space(self) -> None:
        self.accept(_SPACE)

    def value(self, depth: int = 0) -> Value:
        """Returns the next value."""
        self.skip_space()
        if depth > _DEEPEST:
            raise DisallowedChange("values stand too deep in each other")
        if self.data.startswith(b"<<", self.position):
            return self._dictionary(depth)
        if self.data.startswith(b"[", self.position):
            return self._array(depth)
        return self._simple()

    def dictionary(self) -> Dictionary:
        """Returns the next value, which must be a dictionary."""
        value = self.value()
        if not isinstance(value, dict):
            raise DisallowedChange("something else stands in place of a dictionary")
        return value

    def _dictionary(self, depth: int) -> Dictionary:
        self.position += 2
        entries: Dictionary = {}
        while not self._ends(b">>"):
            key = self.expect(_NAME)[1].decode("ascii")
            if key in entries:
                raise DisallowedChange("a dictionary has a key twice")
            entries[key] = self.value(depth + 1)
        return entries

    def _array(self, depth: int) -> list[Value]:
        self.position += 1
        items: list[Value] = []
        while not self._ends(b"]"):
            items.append(self.value(depth + 1))
        return items

    def _ends(self, mark: bytes) -> bool:
        self.skip_space()
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

"""Strict reader of PDF objects in their bytes. ISO 32000-2, 7.2 and 7.3.

Other readers mend what they do not understand, each in its own way. This one raises `NotPlain`. It takes linear time.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_DEEPEST = 100
_SPACE = rb"[\0\t\n\x0c\r ]"
_AFTER = rb"(?![^\0\t\n\x0c\r ()<>\[\]{}/%])"
BLANK = re.compile(rb"(?:" + _SPACE + rb"++|%[^\r\n]*+)*+")
HEADER = re.compile(rb"(\d{1,10})" + _SPACE + rb"++(\d{1,5})" + _SPACE + rb"++obj" + _AFTER)
_TOKEN = re.compile(
    rb"(?P<reference>\d{1,10}+" + _SPACE + rb"++\d{1,5}+" + _SPACE + rb"++R" + _AFTER + rb")"
    rb"|/(?P<name>[^\0\t\n\x0c\r ()<>\[\]{}/%]*+)"
    rb"|(?P<mark><<|>>|[\[\]])"
    rb"|(?P<hexadecimal><[0-9A-Fa-f\0\t\n\x0c\r ]*+>)"
    rb"|(?P<text>\()"
    rb"|(?P<word>[^\0\t\n\x0c\r ()<>\[\]{}/%]++)"
)
_PARENTHESIS = re.compile(rb"(?:[^()\\]|\\.)*+([()])", re.DOTALL)
_INTEGER = re.compile(rb"\d{1,10}")
_NUMBER = re.compile(rb"[+-]?(?:\d++\.?\d*+|\.\d++)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_ENDS = {b"<<": b">>", b"[": b"]"}

_SPELLING = "objects or references in an odd spelling"


class NotPlain(Exception):
    """Readers may differ about a file. The message says in which, as the object of "it has"."""


class Reference(NamedTuple):
    """An indirect reference, or the number of an indirect object."""

    number: int
    generation: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name without its slash and escapes."""

    text: bytes


@dataclass(frozen=True, slots=True)
class Other:
    """A string, or a word or number that is no unsigned integer, in its bytes."""

    written: bytes


Value = int | Name | Other | Reference | list["Value"] | dict[bytes, "Value"]
NULL = Other(b"null")
_WORDS = frozenset({b"true", b"false", b"null"})


@dataclass(slots=True)
class Parsed:
    """A value, the byte after it, and all references in it."""

    value: Value
    end: int
    references: set[Reference] = field(default_factory=set)


def parse(data: bytes, at: int) -> Parsed:
    """Reads the value at `at`, white space before it included. Raises `NotPlain`."""
    open_marks: list[bytes] = []
    levels: list[list[Value]] = [[]]
    references: set[Reference] = set()
    while True:
        token = _TOKEN.match(data, _after_blank(data, at))
        if token is None:
            raise NotPlain(_SPELLING)
        at, kind, written = token.end(), token.lastgroup, token[0]
        if kind == "text":
            at = _end_of_text(data, at)
            levels[-1].append(Other(data[token.start() : at]))
        elif written in _ENDS:
            if len(levels) > _DEEPEST:
                raise NotPlain(_SPELLING)
            open_marks.append(_ENDS[written])
            levels.append([])
        elif kind == "mark":
            if not open_marks or open_marks.pop() != written:
                raise NotPlain(_SPELLING)
            parts = levels.pop()
            levels[-1].append(parts if written == b"]" else _dictionary(parts))
        else:
            levels[-1].append(_simple(kind, token))
        last = levels[-1][-1] if levels[-1] else None
        if isinstance(last, Reference):
            references.add(last)
        if not open_marks:
            return Parsed(levels[0][0], at, references)


def _after_blank(data: bytes, at: int) -> int:
    found = BLANK.match(data, at)
    return found.end() if found else at


def _end_of_text(data: bytes, at: int) -> int:
    depth = 1
    while depth:
        found = _PARENTHESIS.match(data, at)
        if found is None:
            raise NotPlain(_SPELLING)
        depth += 1 if found[1] == b"(" else -1
        at = found.end()
    return at


def _dictionary(parts: list[Value]) -> dict[bytes, Value]:
    keys, values = parts[::2], parts[1::2]
    read = {key.text: value for key, value in zip(keys, values, strict=False) if isinstance(key, Name)}
    if len(parts) % 2 or len(read) != len(keys):
        raise NotPlain("a dictionary with an entry twice or without a value")
    return read


def _simple(kind: str | None, token: re.Match[bytes]) -> Value:
    written = token[0]
    if kind == "reference":
        number, generation, _ = written.split()
        return Reference(int(number), int(generation))
    if kind == "name":
        return Name(_ESCAPE.sub(lambda code: bytes.fromhex(code[1].decode()), token["name"]))
    if kind == "word":
        if _INTEGER.fullmatch(written):
            return int(written)
        if written not in _WORDS and not _NUMBER.fullmatch(written):
            raise NotPlain(_SPELLING)
    return Other(written)

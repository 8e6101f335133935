"""Strict reader of the chain of cross-reference tables and streams of a PDF. ISO 32000-2, 7.5.4 to 7.5.8, annex F."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from application.uploads.pdf_bodies import read_body, unpacked
from application.uploads.pdf_syntax import Name, NotPlain, Reference, Value, parse

_TABLE = re.compile(rb"xref[ ]?(?:\r\n|\n|\r)")
_ROWS = re.compile(rb"(\d{1,10}) (\d{1,7})[ ]?(?:\r\n|\n|\r)")
_ROW = re.compile(rb"(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)")
_TRAILER = re.compile(rb"[\0\t\n\x0c\r ]*+trailer(?=[\0\t\n\x0c\r <])")
_ENDING = re.compile(rb"[\0\t\n\x0c\r ]*+startxref[\0\t\n\x0c\r ]++(\d{1,10})[\0\t\n\x0c\r ]++%%EOF")
_LAST = re.compile(rb"startxref[\0\t\n\x0c\r ]++(\d{1,10})[\0\t\n\x0c\r ]++%%EOF[\r\n]*+\Z")
_SEARCHED = 128
"""Bytes at the end in which `startxref` stands."""

_MAX_ROWS = 1_000_000
_FREE, _STANDS, _PACKED = range(3)
"""Types of rows in cross-reference streams. ISO 32000-2, table 18."""

_COLUMNS, _WIDEST = 3, 8

_CHAIN = "tables that are not linked as they should be"
_ROWS_WRONG = "a table whose rows are not plain"
_ROOTS = "more than one root"
_HYBRID = "tables for old readers and others for new ones"


class Place(NamedTuple):
    """Where an object is: at offset `at`, or at index `at` of the object stream `packed`; or it is free."""

    at: int
    generation: int = 0
    packed: int | None = None
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A table or cross-reference stream: the bytes from `start` to `end`, its rows by number, and its trailer."""

    start: int
    end: int
    rows: Mapping[int, Place]
    trailer: Mapping[bytes, Value]
    references: frozenset[Reference]


class Revision(NamedTuple):
    """A section, the end of its own bytes with `startxref` and `%%EOF`, and the end of the revision that it is in."""

    section: Section
    own_end: int
    end: int


def read_revisions(data: bytes) -> list[Revision]:
    """Follows the chain from the end of the file: newest first. Raises `NotPlain` if it is not plain.

    A linearised file has two sections in its oldest revision; the one that stands later comes last.
    """
    last = _LAST.search(data, max(0, len(data) - _SEARCHED))
    at = int(last[1]) if last else None
    found: list[Revision] = []
    main: Revision | None = None
    rows = 0
    while at is not None:
        section = _section(data, at)
        rows += len(section.rows)
        if rows > _MAX_ROWS:
            raise NotPlain(_ROWS_WRONG)
        earlier = integer(section.trailer, b"Prev") if b"Prev" in section.trailer else None
        if earlier is not None and earlier >= at:
            main = _main_table(data, section, earlier)
            ending = _ENDING.match(data, section.end)  # some writers leave it out here
            found.append(Revision(section, ending.end() if ending else section.end, main.end))
            break
        end = _ending(data, section, at)
        found.append(Revision(section, end, end))
        at = earlier
    if not found or len(data.rstrip(b"\r\n")) != found[0].end:
        raise NotPlain(_CHAIN)
    if any(newer.section.start < older.end for newer, older in pairwise(found)):
        raise NotPlain(_CHAIN)
    _check_trailers([one.section.trailer for one in found], main)
    return found if main is None else [*found, main]


def _main_table(data: bytes, first: Section, at: int) -> Revision:
    """Reads the second section of a linearised revision, which stands after the `first`. Annex F.3."""
    main = _section(data, at)
    if b"Prev" in main.trailer or main.start < first.end or main.rows.keys() & first.rows.keys():
        raise NotPlain(_CHAIN)
    end = _ending(data, main, first.start)
    return Revision(main, end, end)


def _check_trailers(trailers: list[Mapping[bytes, Value]], main: Revision | None) -> None:
    root = trailers[0].get(b"Root")
    if main is not None:
        trailers = [*trailers, {b"Root": root or 0, **main.section.trailer}]  # this one need not name the root
    if not isinstance(root, Reference) or any(trailer.get(b"Root") != root for trailer in trailers):
        raise NotPlain(_ROOTS)
    if any(b"XRefStm" in trailer for trailer in trailers):
        raise NotPlain(_HYBRID)


def _ending(data: bytes, section: Section, named: int) -> int:
    """Returns the end of `startxref` and `%%EOF` after a section. `startxref` has to be `named`."""
    ending = _ENDING.match(data, section.end)
    if ending is None or named != int(ending[1]):
        raise NotPlain(_CHAIN)
    return ending.end()


def _section(data: bytes, at: int) -> Section:
    table = _TABLE.match(data, at)
    return _stream_section(data, at) if table is None else _table_section(data, at, table.end())


def _table_section(data: bytes, start: int, at: int) -> Section:
    rows: dict[int, Place] = {}
    while head := _ROWS.match(data, at):
        at = head.end()
        for number in range(int(head[1]), int(head[1]) + int(head[2])):
            row = _ROW.match(data, at)
            if row is None or number in rows or (number == 0 and row[3] == b"n"):
                raise NotPlain(_ROWS_WRONG)
            rows[number] = Place(int(row[1]), int(row[2]), is_free=row[3] == b"f")
            at = row.end()
    trailer = _TRAILER.match(data, at)
    if trailer is None:
        raise NotPlain(_ROWS_WRONG)
    parsed = parse(data, trailer.end())
    if not isinstance(parsed.value, dict):
        raise NotPlain(_ROWS_WRONG)
    return Section(start, parsed.end, rows, parsed.value, frozenset(parsed.references))


def _stream_section(data: bytes, start: int) -> Section:
    body = read_body(data, start)
    trailer = body.entries
    if body.stream is None or trailer.get(b"Type") != Name(b"XRef"):
        raise NotPlain(_CHAIN)
    contents = unpacked(body)
    widths = _integers(trailer.get(b"W"))
    index = _integers(trailer.get(b"Index", [0, integer(trailer, b"Size")]))
    length = sum(widths)
    if len(widths) != _COLUMNS or max(widths) > _WIDEST or length == 0 or len(index) % 2:
        raise NotPlain(_ROWS_WRONG)
    if sum(index[1::2]) * length != len(contents):
        raise NotPlain(_ROWS_WRONG)
    rows: dict[int, Place] = {}
    at = 0
    for first, count in zip(index[::2], index[1::2], strict=True):
        for number in range(first, first + count):
            place = _row(contents[at : at + length], widths)
            if number in rows or (number == 0 and not place.is_free):
                raise NotPlain(_ROWS_WRONG)
            rows[number] = place
            at += length
    return Section(start, body.end, rows, trailer, frozenset(body.parsed.references))


def _row(row: bytes, widths: list[int]) -> Place:
    kind_end, at_end = widths[0], widths[0] + widths[1]
    kind = int.from_bytes(row[:kind_end], "big") if kind_end else _STANDS
    at, other = int.from_bytes(row[kind_end:at_end], "big"), int.from_bytes(row[at_end:], "big")
    if kind == _PACKED:
        return Place(other, packed=at)
    if kind not in {_FREE, _STANDS}:
        raise NotPlain(_ROWS_WRONG)
    return Place(at, other, is_free=kind == _FREE)


def _integers(value: Value | None) -> list[int]:
    numbers = [one for one in value if isinstance(one, int)] if isinstance(value, list) else []
    if not numbers or not isinstance(value, list) or len(numbers) != len(value):
        raise NotPlain(_ROWS_WRONG)
    return numbers


def integer(entries: Mapping[bytes, Value], key: bytes) -> int:
    """Returns an entry that has to be a plain, unsigned integer. Raises `NotPlain`."""
    value = entries.get(key)
    if not isinstance(value, int):
        raise NotPlain(_ROWS_WRONG)
    return value

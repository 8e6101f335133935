"""The tables of a signed PDF, read strictly: each object is where they say, once, and nothing else passes for one.

Readers follow the tables from the end of the file, or search the file for objects if something displeases them. They
find the same objects only if the tables account for each object. All checks take linear time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from application.uploads.pdf_bodies import PLACES, STREAMS, Body, no_length, read_body, unpacked
from application.uploads.pdf_syntax import NULL, Name, NotPlain, Parsed, Reference, parse
from application.uploads.pdf_tables import Place, Revision, integer, read_revisions

_SHADOW = re.compile(rb"(?<!\d)(\d{1,10})[\0\t\n\x0c\r ]++(\d{1,5})[\0\t\n\x0c\r ]++obj|trailer|startxref")
_SIZE = "objects beyond the number that it says to have"
_TWICE = "an object that stands in it twice, or one inside another"
_HIDDEN = "objects or trailers that its tables do not list"
_DANGLING = "references to objects that are missing or deleted"


@dataclass(slots=True)
class _File:
    """A file: the place of each object in its newest revision, and what was read at which offset.

    `limits`: by the offset of each object and table, that of the next.
    """

    data: bytes
    revisions: list[Revision]
    places: dict[int, Place] = field(default_factory=dict)
    limits: dict[int, int] = field(default_factory=dict)
    bodies: dict[int, Body] = field(default_factory=dict)
    packed: dict[int, dict[int, Parsed]] = field(default_factory=dict)


def check_structure(data: bytes) -> bool:
    """Returns whether the signed PDF `data` is a single linearised revision.

    Raises `NotPlain` if readers may find different objects in it.
    """
    file = _File(data, read_revisions(data))
    for revision in reversed(file.revisions):
        file.places.update(revision.section.rows)
    if max(file.places, default=0) >= integer(file.revisions[0].section.trailer, b"Size"):
        raise NotPlain(_SIZE)
    _read_objects(file)
    _check_packed(file)
    _check_gaps(file)
    _check_references(file)
    return file.revisions[0].end == file.revisions[-1].end and len(file.revisions) > 1


def _read_objects(file: _File) -> None:
    """Reads all objects that stand in the file, the superseded ones too, each no further than the next begins."""
    listed: dict[int, tuple[Reference, int]] = {}
    for revision in file.revisions:
        for number, place in revision.section.rows.items():
            if place.is_free or place.packed is not None:
                continue
            name = Reference(number, place.generation)
            if place.at >= revision.end or listed.get(place.at, (name,))[0] != name:
                raise NotPlain(PLACES)
            listed[place.at] = (name, revision.end)
    starts = sorted({*listed, *(one.section.start for one in file.revisions)})
    file.limits = dict(pairwise([*starts, len(file.data)]))
    for at, (name, end) in listed.items():
        body = file.bodies.get(at) or _body(file, at, partial(_length, file, end))
        if body.name != name:
            raise NotPlain(PLACES)


def _body(file: _File, at: int, length_of: Callable[[Reference], int] = no_length) -> Body:
    if at not in file.limits or file.data[max(0, at - 1) : at].isdigit():
        raise NotPlain(PLACES)
    body = read_body(file.data[at : file.limits[at]], 0, length_of)
    file.bodies[at] = replace(body, end=at + body.end)
    return file.bodies[at]


def _length(file: _File, end: int, wanted: Reference) -> int:
    """Returns the length of a stream, `wanted` in the revision that ends at `end`."""
    place = _place(file, wanted.number, end)
    if place.packed is None:
        body = file.bodies.get(place.at) or _body(file, place.at)
        found: Parsed | None = body.parsed
    else:
        found = _packed(file, _place(file, place.packed, end).at).get(wanted.number)
    if found is None or not isinstance(found.value, int):
        raise NotPlain(STREAMS)
    return found.value


def _place(file: _File, number: int, end: int) -> Place:
    rows = (one.section.rows for one in file.revisions if one.end <= end)
    place = next((row[number] for row in rows if number in row), None)
    if place is None or place.is_free:
        raise NotPlain(STREAMS)
    return place


def _packed(file: _File, at: int) -> dict[int, Parsed]:
    """Returns the objects in the object stream at `at`, in their order."""
    if at in file.packed:
        return file.packed[at]
    body = file.bodies.get(at) or _body(file, at)
    if body.entries.get(b"Type") != Name(b"ObjStm"):
        raise NotPlain(PLACES)
    contents, first, count = unpacked(body), integer(body.entries, b"First"), integer(body.entries, b"N")
    head = contents[:first].split()
    if len(head) != 2 * count or not all(word.isdigit() for word in head):
        raise NotPlain(PLACES)
    numbers, starts = [int(word) for word in head[::2]], [first + int(word) for word in head[1::2]]
    pieces = list(pairwise([*starts, len(contents)]))
    if len(set(numbers)) != count or any(start >= end for start, end in pieces):
        raise NotPlain(_TWICE)
    found = [parse(contents[start:end], 0) for start, end in pieces]
    file.packed[at] = dict(zip(numbers, found, strict=True))
    return file.packed[at]


def _check_packed(file: _File) -> None:
    """Checks the rows that lead to object streams, and that tables list what these hold."""
    orders: dict[int, list[int]] = {}
    for number, place in file.places.items():
        if place.packed is None:
            continue
        if place.packed not in orders:
            container = file.places.get(place.packed)
            if container is None or container.is_free or container.packed is not None:
                raise NotPlain(PLACES)
            orders[place.packed] = list(_packed(file, container.at))
        order = orders[place.packed]
        if place.at >= len(order) or order[place.at] != number:
            raise NotPlain(PLACES)
    listed = {(place.packed, number) for one in file.revisions for number, place in one.section.rows.items()}
    if any((container, number) not in listed for container, order in orders.items() for number in order):
        raise NotPlain(_HIDDEN)


def _check_gaps(file: _File) -> None:
    """Checks that objects and tables stand one after another, and that nothing between them passes for one."""
    spans = {at: body.end for at, body in file.bodies.items()}
    spans |= {revision.section.start: revision.own_end for revision in file.revisions}
    order = sorted(spans.items())
    if any(start < end for (_, end), (start, _) in pairwise(order)):
        raise NotPlain(_TWICE)
    for (_, end), (start, _) in pairwise([(0, 0), *order, (len(file.data), 0)]):
        for found in _SHADOW.finditer(file.data, end, start):
            if found[1] is None or int(found[1]) in file.places:
                raise NotPlain(_HIDDEN)


def _check_references(file: _File) -> None:
    """Checks that all references that the trailer leads to have an object."""
    waiting = list(file.revisions[0].section.references)
    seen = set(waiting)
    while waiting:
        wanted = waiting.pop()
        place = file.places.get(wanted.number)
        if place is None or place.is_free or place.generation != wanted.generation:
            raise NotPlain(_DANGLING)
        if place.packed is None:
            found = file.bodies[place.at].parsed
        else:
            found = file.packed[file.places[place.packed].at][wanted.number]
        if found.value == NULL:
            raise NotPlain(_DANGLING)
        waiting += found.references - seen
        seen |= found.references

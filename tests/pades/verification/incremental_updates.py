"""Incremental updates written by hand, as tables, streams, packed objects, and both at once."""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from io import BytesIO

import pikepdf

_KEPT = ("/Root", "/Info", "/ID")


class Form(StrEnum):
    """How an update says where its objects are."""

    TABLE = "a table"
    STREAM = "a stream"
    PACKED = "a compressed stream, and objects packed into another"
    HYBRID = "a table for old readers, and a stream for new ones"


@dataclass(frozen=True)
class Written:
    """An update to write: objects by number, and what is unusual about it.

    `noise` is put before the object at that place in the order, `entries` into the trailer.
    """

    objects: Mapping[int, bytes]
    form: Form = Form.TABLE
    free: tuple[int, ...] = ()
    entries: bytes = b""
    noise: tuple[int, bytes] = (0, b"")
    generation: int = 0
    ends: bytes = b""
    unlisted: frozenset[int] = field(default_factory=frozenset)
    packs_signatures: bool = False


def usual_form(pdf: bytes) -> Form:
    """How the newest revision of `pdf` says where its objects are."""
    return Form.TABLE if pdf.startswith(b"xref", _startxref(pdf)) else Form.STREAM


def with_update(pdf: bytes, update: Written) -> bytes:
    """`pdf` with `update` at its end."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        trailer = opened.trailer
        kept = b"".join(key.encode() + b" " + trailer[key].unparse() for key in _KEPT if key in trailer)
        size = max([int(opened.trailer.Size), *(number + 1 for number in update.objects)])
    body = bytearray(pdf)
    packed = {
        number: definition
        for number, definition in update.objects.items()
        if update.form is Form.PACKED
        and b"stream" not in definition
        and (update.packs_signatures or b"/ByteRange" not in definition)
    }
    places = dict.fromkeys(update.free, 0)
    for order, (number, definition) in enumerate(update.objects.items()):
        if order == update.noise[0]:
            body += update.noise[1]
        if number not in packed:
            places[number] = len(body)
            body += b"%d %d obj\n%b\nendobj\n" % (number, update.generation, definition)
    rows = [(number, 0 if number in update.free else 1, at, update.generation) for number, at in places.items()]
    if packed:
        size += 1
        rows += [(number, 2, size - 1, index) for index, number in enumerate(packed)]
        rows.append((size - 1, 1, len(body), 0))
        body += _object_stream(size - 1, packed)
    rows = [(0, 0, 0, 65535), *(row for row in sorted(rows) if row[0] not in update.unlisted)]
    entries = b"%b/Prev %d%b" % (kept, _startxref(pdf), update.entries)
    return bytes(body + _ending(rows, entries, update, size, len(body)))


def _ending(rows: list[tuple[int, int, int, int]], entries: bytes, update: Written, size: int, start: int) -> bytes:
    if update.form is Form.TABLE:
        written = _table(rows, b"<</Size %d%b>>" % (size, entries))
    elif update.form is Form.HYBRID:
        stream = _xref_stream([*rows, (size, 1, start, 0)], entries, size + 1, is_compressed=False)
        written = stream + _table(rows[:1], b"<</Size %d/XRefStm %d%b>>" % (size + 1, start, entries))
        start += len(stream)
    else:
        is_compressed = update.form is Form.PACKED
        written = _xref_stream([*rows, (size, 1, start, 0)], entries, size + 1, is_compressed=is_compressed)
    return written + b"startxref\n%d\n%%%%EOF\n" % start + update.ends


def _table(rows: list[tuple[int, int, int, int]], trailer: bytes) -> bytes:
    table = b"".join(
        b"%d 1\n%010d %05d %c \n" % (number, at, generation, b"n"[0] if kind else b"f"[0])
        for number, kind, at, generation in rows
    )
    return b"xref\n%btrailer\n%b\n" % (table, trailer)


def _xref_stream(rows: list[tuple[int, int, int, int]], entries: bytes, size: int, *, is_compressed: bool) -> bytes:
    lines = [
        kind.to_bytes(1, "big") + at.to_bytes(8, "big") + generation.to_bytes(2, "big")
        for _, kind, at, generation in rows
    ]
    data = b"".join(lines)
    if is_compressed:
        above = [bytes(11), *lines]
        data = zlib.compress(b"".join(b"\2" + _less(*pair) for pair in zip(lines, above, strict=False)))
        entries += b"/Filter/FlateDecode/DecodeParms<</Columns 11/Predictor 12>>"
    index = b" ".join(b"%d 1" % row[0] for row in rows)
    return b"%d 0 obj\n<</Type/XRef/W [1 8 2]/Index [%b]/Size %d%b/Length %d>>\nstream\n%b\nendstream\nendobj\n" % (
        size - 1, index, size, entries, len(data), data,
    )  # fmt: skip


def _less(row: bytes, above: bytes) -> bytes:
    return bytes((one - other) % 256 for one, other in zip(row, above, strict=True))


def _object_stream(number: int, packed: Mapping[int, bytes]) -> bytes:
    heads, bodies = b"", b""
    for one, definition in packed.items():
        heads += b"%d %d " % (one, len(bodies))
        bodies += definition + b"\n"
    data = zlib.compress(heads + bodies)
    return b"%d 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>stream\n%b\nendstream\nendobj\n" % (
        number, len(packed), len(heads), len(data), data,
    )  # fmt: skip


def _startxref(pdf: bytes) -> int:
    return int(re.findall(rb"startxref\s+(\d+)", pdf)[-1])

"""PDFs written by hand, byte by byte: sound ones, and ones that were made to do harm."""

import zlib
from collections.abc import Mapping
from functools import cache
from io import BytesIO

import pikepdf

Objects = Mapping[int, bytes]

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"
SOUND: Objects = {1: CATALOG, 2: PAGES, 3: PAGE}


def pdf(objects: Objects = SOUND, trailer: bytes = b"") -> bytes:
    """A file of these objects, the first of which is the catalogue."""
    written = BytesIO()
    written.write(b"%PDF-1.7\n")
    places = {}
    for number, content in objects.items():
        places[number] = written.tell()
        written.write(b"%d 0 obj\n%b\nendobj\n" % (number, content))
    table = written.tell()
    size = max(objects) + 1
    written.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
    for number in range(1, size):
        place = places.get(number)
        written.write(b"%010d 00000 n \n" % place if place else b"0000000000 65535 f \n")
    written.write(b"trailer\n<< /Size %d /Root 1 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, table))
    return written.getvalue()


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), entries, content)


def with_object(content: bytes, number: int = 4) -> bytes:
    """A sound file with one more object, to which nothing leads."""
    return pdf({**SOUND, number: content})


def with_catalog(entries: bytes, others: Objects | None = None) -> bytes:
    return pdf({**SOUND, 1: b"<< /Type /Catalog /Pages 2 0 R %b >>" % entries, **(others or {})})


def of_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    pages = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, count)
    return pdf({1: CATALOG, 2: pages, **dict.fromkeys(range(3, count + 3), PAGE)})


def of_one_page_listed(times: int) -> bytes:
    return pdf({**SOUND, 2: b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b"3 0 R " * times, times)})


def of_levels(depth: int) -> bytes:
    """A tree of pages with one page at the end of so many levels."""
    objects = {1: CATALOG}
    for level in range(depth):
        objects[2 + level] = b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (3 + level)
    return pdf({**objects, 2 + depth: PAGE})


@cache
def deflated(millions: int, byte: bytes = b"\0", first: bytes = b"") -> bytes:
    """So many millions of one byte, after some others."""
    packer = zlib.compressobj(1)
    million = byte * 1_000_000
    written = [packer.compress(first), *(packer.compress(million) for _ in range(millions))]
    return b"".join(written) + packer.flush()


def inflating(millions: int, entries: bytes = b"", *, twice: bool = False) -> bytes:
    """A file with a stream that becomes so many millions of bytes."""
    content = deflated(millions)
    if not twice:
        return with_object(stream(content, b"/Filter /FlateDecode " + entries))
    return with_object(stream(zlib.compress(content, 9), b"/Filter [/FlateDecode /FlateDecode] " + entries))


def with_object_stream(millions: int) -> bytes:
    """A file whose objects stand in a stream that becomes so many millions of bytes."""
    packed = deflated(millions, b" ", b"1 0 2 40 3 90 ")
    objects = stream(packed, b"/Type /ObjStm /N 3 /First 14 /Filter /FlateDecode")
    head = b"%PDF-1.7\n"
    first = head + b"4 0 obj\n" + objects + b"\nendobj\n"
    rows = b"".join(
        kind + place.to_bytes(4, "big") + index
        for kind, place, index in (
            (b"\0", 0, b"\0"), (b"\2", 4, b"\0"), (b"\2", 4, b"\1"), (b"\2", 4, b"\2"), (b"\1", len(head), b"\0"),
            (b"\1", len(first), b"\0"),
        )
    )  # fmt: skip
    table = stream(rows, b"/Type /XRef /Size 6 /W [1 4 1] /Root 1 0 R")
    return first + b"5 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(first)


def with_table_stream(millions: int) -> bytes:
    """A file whose cross-reference table becomes so many millions of bytes."""
    head = b"%PDF-1.7\n"
    rows = millions * 1_000_000 // 6
    table = stream(deflated(millions), b"/Type /XRef /Size %d /W [1 4 1] /Root 1 0 R /Filter /FlateDecode" % rows)
    return head + b"5 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(head)


def encrypted(user: str = "", owner: str = "owner") -> bytes:
    written = BytesIO()
    with pikepdf.open(BytesIO(pdf())) as opened:
        opened.save(written, encryption=pikepdf.Encryption(user=user, owner=owner))
    return written.getvalue()


def with_attachment(name: bytes, content: bytes) -> bytes:
    return with_catalog(
        b"/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>",
        {
            4: b"<< /Type /Filespec /F (%b) /UF (%b) /EF << /F 5 0 R >> >>" % (name, name),
            5: stream(content, b"/Type /EmbeddedFile"),
        },
    )

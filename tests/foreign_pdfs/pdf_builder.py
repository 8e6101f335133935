"""PDFs of one page that shows something, object by object, so that each of their parts can be another."""

from collections.abc import Mapping
from io import BytesIO

import pikepdf

from tests.application.uploads.pdfs import stream

Objects = Mapping[int, bytes]

DRAWING = (
    b"q 0.1 0.3 0.8 rg 60 80 m 220 640 l 420 200 l h f Q "
    b"q 0.8 0.2 0.1 RG 9 w 100 700 300 60 re S Q "
    b"BT /F1 40 Tf 80 500 Td (Schedule of works) Tj ET"
)
"""What pages show: nothing of it is the same the other way round."""

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
RESOURCES = b"<< /Font << /F1 5 0 R >> >>"


def page(
    *, box: bytes = b"[0 0 595 842]", entries: bytes = b"", contents: bytes = b"4 0 R", resources: bytes = RESOURCES
) -> bytes:
    return b"<< /Type /Page /Parent 2 0 R /MediaBox %b /Resources %b /Contents %b %b >>" % (
        box, resources, contents, entries,
    )  # fmt: skip


def objects(leaf: bytes | None = None, *, drawing: bytes = DRAWING, catalog: bytes = b"") -> dict[int, bytes]:
    """Returns a catalogue, one page and what it shows. What is added begins at 6."""
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R %b >>" % catalog,
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: page() if leaf is None else leaf,
        4: stream(drawing),
        5: FONT,
    }


def written(  # each is a way in which files differ
    parts: Objects,
    *,
    version: bytes = b"1.7",
    line: bytes = b"\n",
    before: bytes = b"",
    trailer: bytes = b"",
    ending: bytes = b"\n",
    row: bytes = b" \n",
) -> bytes:
    """Returns a file with a table of what is where. `line` ends lines, `row` those of the table."""
    out = BytesIO()
    out.write(b"%PDF-" + version + line + before)
    places = {}
    for number, content in parts.items():
        places[number] = out.tell()
        out.write(b"%d 0 obj%b%b%bendobj%b" % (number, line, content, line, line))
    table, size = out.tell(), max(parts) + 1
    out.write(b"xref%b0 %d%b0000000000 65535 f%b" % (line, size, line, row))
    for number in range(1, size):
        kind = b"%010d 00000 n" % places[number] if number in places else b"0000000000 65535 f"
        out.write(kind + row)
    out.write(b"trailer%b<< /Size %d /Root 1 0 R %b >>%bstartxref%b" % (line, size, trailer, line, line))
    out.write(b"%d%b%%%%EOF%b" % (table, line, ending))
    return out.getvalue()


def file(leaf: bytes | None = None, *, drawing: bytes = DRAWING, catalog: bytes = b"", **others: bytes) -> bytes:
    """Returns a file of one page; objects whose names are their numbers (`_6=`) are added."""
    added = {int(name.removeprefix("_")): content for name, content in others.items()}
    return written({**objects(leaf, drawing=drawing, catalog=catalog), **added})


def updated(pdf: bytes, changed: Objects) -> bytes:
    """Another revision at the end of a file that has a table."""
    out = BytesIO()
    out.write(pdf)
    previous = int(pdf.rsplit(b"startxref", 1)[1].split()[0])
    size = int(pdf.rsplit(b"/Size ", 1)[1].split()[0])
    rows = []
    for number, content in changed.items():
        rows.append(b"%d 1\n%010d 00000 n \n" % (number, out.tell()))
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, content))
    table = out.tell()
    out.write(b"xref\n" + b"".join(rows))
    size = max(size, max(changed) + 1)
    out.write(b"trailer\n<< /Size %d /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n" % (size, previous, table))
    return out.getvalue()


def hybrid(parts: Objects | None = None) -> bytes:
    """Returns a hybrid file: the font is only in the cross-reference stream, which old readers ignore."""
    every = dict(parts or objects())
    inner = b"5 0 " + every.pop(5)
    packed, table = max(every) + 2, max(every) + 3
    every[packed] = stream(inner, b"/Type /ObjStm /N 1 /First 4")
    plain = written(every)
    body = plain[: plain.rindex(b"xref\n0")]
    rows = b"\2" + packed.to_bytes(4, "big") + b"\0"
    rows += b"\1" + body.rindex(b"%d 0 obj" % packed).to_bytes(4, "big") + b"\0"
    rows += b"\1" + len(body).to_bytes(4, "big") + b"\0"
    entries = b"/Type /XRef /Size %d /Index [5 1 %d 2] /W [1 4 1] /Root 1 0 R" % (table + 1, packed)
    second = b"%d 0 obj\n%b\nendobj\n" % (table, stream(rows, entries))
    shown = plain[len(body) : plain.rindex(b"trailer")]
    hidden = b"%010d 00000 n \n" % body.rindex(b"%d 0 obj" % packed)
    shown = shown.replace(hidden, b"0000000000 65535 f \n")
    end = b"trailer\n<< /Size %d /Root 1 0 R /XRefStm %d >>\nstartxref\n%d\n%%%%EOF\n"
    return body + second + shown + end % (table + 1, len(body), len(body) + len(second))


def hybrid_in_two_parts() -> bytes:
    """Returns the same, with the second table in an empty revision of its own."""
    every = objects()
    inner = b"5 0 " + every.pop(5)
    every[6] = stream(inner, b"/Type /ObjStm /N 1 /First 4")
    plain = written(every)
    at = plain.index(b"6 0 obj")
    rows = b"\2" + (6).to_bytes(4, "big") + b"\0" + b"\1" + at.to_bytes(4, "big") + b"\0"
    rows += b"\1" + len(plain).to_bytes(4, "big") + b"\0"
    entries = b"/Type /XRef /Size 8 /Index [5 3] /W [1 4 1] /Root 1 0 R"
    second = b"7 0 obj\n%b\nendobj\n" % stream(rows, entries)
    first = int(plain.rsplit(b"startxref", 1)[1].split()[0])
    table = len(plain) + len(second)
    end = b"xref\n0 0\ntrailer\n<< /Size 8 /Root 1 0 R /Prev %d /XRefStm %d >>\nstartxref\n%d\n%%%%EOF\n"
    return plain + second + end % (first, len(plain), table)


def saved(pdf: bytes, **ways: object) -> bytes:
    """Returns the file written anew, as another program would."""
    out = BytesIO()
    with pikepdf.open(BytesIO(pdf)) as opened:
        opened.save(out, deterministic_id=True, **ways)  # type: ignore[arg-type]
    return out.getvalue()

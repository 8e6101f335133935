"""What can be done to a sealed PDF: by tools that mean no harm, and by people who do.

The attacks are those that are published: incremental saving, signature wrapping and universal forgery (Mladenov, Mainka
and others, 2019), shadow documents that hide, replace, or hide and replace (Mainka, Mladenov and Rohlmann, 2021), and
the evil annotation on certified documents (Rohlmann and others, 2021).
"""

import re
import subprocess
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from tests.pades.verification.incremental_updates import Written, with_update
from tests.programs import program

Tampering = Callable[[bytes], bytes]


def updated(pdf: bytes, *objects: tuple[int, bytes], root: int | None = None, free: tuple[int, ...] = ()) -> bytes:
    """`pdf` with an incremental update, written by hand: objects by number, another root, objects that are freed."""
    after = with_update(pdf, Written(dict(objects), free=free))
    head, tail = after[: len(pdf)], after[len(pdf) :]
    return after if root is None else head + re.sub(rb"/Root \d+ 0 R", b"/Root %d 0 R" % root, tail)


def number_of_content(pdf: bytes, page: int = 0) -> int:
    """The object number of a page's content."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        return int(opened.pages[page].Contents.objgen[0])


def content(text: str) -> bytes:
    drawn = f"BT /F1 40 Tf 60 400 Td ({text}) Tj ET".encode()
    return b"<</Length %d>>stream\n%b\nendstream" % (len(drawn), drawn)


# Tools that mean no harm


def _by_pikepdf(change: Callable[[pikepdf.Pdf], object]) -> Tampering:
    def tampered(pdf: bytes) -> bytes:
        output = BytesIO()
        with pikepdf.open(BytesIO(pdf)) as opened:
            change(opened)
            opened.save(output)
        return output.getvalue()

    return tampered


def _by_qpdf(*options: str) -> Tampering:
    def tampered(pdf: bytes) -> bytes:
        with TemporaryDirectory() as folder:
            before, after = Path(folder) / "before.pdf", Path(folder) / "after.pdf"
            before.write_bytes(pdf)
            subprocess.run([program("qpdf"), *options, str(before), str(after)], check=True, capture_output=True)
            return after.read_bytes()

    return tampered


def _by_mupdf(change: Callable[[pymupdf.Document], object]) -> Tampering:
    """Changes that MuPDF saves at the end of the file."""

    def tampered(pdf: bytes) -> bytes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "sealed.pdf"
            path.write_bytes(pdf)
            with pymupdf.Document(path) as opened:
                change(opened)
                opened.saveIncr()
            return path.read_bytes()

    return tampered


def _saved_by_mupdf(pdf: bytes) -> bytes:
    with pymupdf.Document(stream=pdf) as opened:
        saved: bytes = opened.tobytes(garbage=3)
    return saved


TOOLS: dict[str, Tampering] = {
    "saved again by pikepdf": _by_pikepdf(lambda opened: None),
    "saved again by qpdf for the web": _by_qpdf("--linearize"),
    "saved again by qpdf without object streams": _by_qpdf("--object-streams=disable", "--qdf"),
    "saved again by MuPDF": _saved_by_mupdf,
    "a page added by pikepdf": _by_pikepdf(lambda opened: opened.add_blank_page()),
    "a page added by MuPDF at the end": _by_mupdf(lambda opened: opened.new_page()),
    "a page taken out by MuPDF": _by_mupdf(lambda opened: opened.delete_page(0)),
    "a comment added by MuPDF": _by_mupdf(lambda opened: opened[0].add_text_annot((100, 100), "a comment")),
    "words written by MuPDF": _by_mupdf(lambda opened: opened[0].insert_text((100, 100), "and 100 more")),
    "a title given by MuPDF": _by_mupdf(lambda opened: opened.set_metadata({"title": "Another"})),
}

MARKS = {tool: pytest.mark.qpdf for tool in TOOLS if "by qpdf" in tool}
"""The programs of other packages that they need."""


# Bytes that do not belong there


def _with_archive(pdf: bytes) -> bytes:
    output = BytesIO(pdf)
    with zipfile.ZipFile(output, "a") as archive:
        archive.writestr("another.txt", "another content")
    return output.getvalue()


def _room(pdf: bytes) -> tuple[int, int]:
    _, start, end, _ = (int(n) for n in re.findall(rb"/ByteRange\s*\[([^\]]*)\]", pdf)[-1].split())
    return start, end


def _flipped_in_room(pdf: bytes, at: int) -> bytes:
    start, _ = _room(pdf)
    place = start + 1 + at
    other = b"0" if pdf[place : place + 1] != b"0" else b"1"
    return pdf[:place] + other + pdf[place + 1 :]


def _capital_in_room(pdf: bytes) -> bytes:
    start, _ = _room(pdf)
    place = re.compile(rb"[a-f]").search(pdf, start)
    assert place is not None
    return pdf[: place.start()] + place[0].upper() + pdf[place.end() :]


BYTES: dict[str, Tampering] = {
    "a byte before its begin": lambda pdf: b"\n" + pdf,
    "a script before its begin": lambda pdf: b"#!/bin/sh\nexit\n" + pdf,
    "a line after its end": lambda pdf: pdf + b"\n",
    "words after its end": lambda pdf: pdf + b"<html>another content</html>",
    "a comment and an end after its end": lambda pdf: pdf + b"% a comment\n%%EOF\n",
    "an archive after its end": _with_archive,
    "the last byte gone": lambda pdf: pdf[:-1],
    "zeros for its last bytes": lambda pdf: pdf[:-20] + bytes(20),
    "a digit after the signature in its room": lambda pdf: _flipped_in_room(pdf, 30_000),
    "a capital letter in its room": _capital_in_room,
}


# People who mean harm


def _with_range(numbers: bytes) -> Tampering:
    def tampered(pdf: bytes) -> bytes:
        written = re.findall(rb"/ByteRange\s*\[[^\]]*\]", pdf)[-1]
        return pdf.replace(written, b"/ByteRange [" + numbers.ljust(len(written) - 13) + b"]")

    return tampered


def _wrapped(pdf: bytes) -> bytes:
    """The second part of what is signed stands further down, and something else in its place (signature wrapping)."""
    start, end = _room(pdf)
    tail = pdf[end:]
    evil = b"\n9 0 obj\n" + content("I owe you 100 EUR.") + b"\nendobj\n"
    written = re.findall(rb"/ByteRange\s*\[[^\]]*\]", pdf)[-1]
    moved = b"/ByteRange [0 %d %d %d" % (start, end + len(evil), len(tail))
    head = pdf[:end].replace(written, moved.ljust(len(written) - 1) + b"]")
    return head + evil + tail


def _overwritten(pdf: bytes) -> bytes:
    """The page's content is defined anew (incremental saving)."""
    return updated(pdf, (number_of_content(pdf), content("I owe you 100 EUR.")))


def _overwritten_without_table(pdf: bytes) -> bytes:
    """Readers that look for objects on their own find the later one."""
    return pdf + b"%d 0 obj\n%b\nendobj\n%%%%EOF\n" % (number_of_content(pdf), content("I owe you 100 EUR."))


def _overwritten_with_copied_signature(pdf: bytes) -> bytes:
    """As above, and the signature's field is copied into the update, so that careless readers find it whole."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        field = opened.Root.AcroForm.Fields[0]
        number, written = field.objgen[0], field.unparse(resolved=True)
    return updated(pdf, (number_of_content(pdf), content("I owe you 100 EUR.")), (number, written))


def _evil_annotation(pdf: bytes) -> bytes:
    """Text over the page that looks like part of it."""
    writer = IncrementalPdfFileWriter(BytesIO(pdf), strict=False)
    page = writer.root["/Pages"]["/Kids"][0].get_object()
    note = generic.DictionaryObject(
        {
            generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
            generic.pdf_name("/Subtype"): generic.pdf_name("/FreeText"),
            generic.pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (50, 50, 400, 800))),
            generic.pdf_name("/DA"): generic.pdf_string("/Helv 40 Tf"),
            generic.pdf_name("/Contents"): generic.pdf_string("I owe you 100 EUR."),
        }
    )
    page[generic.pdf_name("/Annots")] = generic.ArrayObject([writer.add_object(note)])
    writer.update_container(page)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


FORGERIES: dict[str, Tampering] = {
    "content defined anew": _overwritten,
    "content defined anew without a table": _overwritten_without_table,
    "content defined anew, the signature copied": _overwritten_with_copied_signature,
    "an evil annotation": _evil_annotation,
    "an update of nothing": updated,
    "no range": lambda pdf: pdf.replace(b"/ByteRange", b"/BiteRange"),
    "an empty range": _with_range(b""),
    "a range of nothing": _with_range(b"0 0 0 0"),
    "a range below zero": _with_range(b"0 -1 -1 -1"),
    "a range beyond the file": _with_range(b"0 9999999 99999999 9"),
    "a range of words": _with_range(b"/a /b /c /d"),
    "a null for a range": lambda pdf: re.sub(rb"/ByteRange\s*\[[^\]]*\]", b"/ByteRange null", pdf),
    "no signature": lambda pdf: re.sub(rb"<[0-9a-f]{2000,}>", b"<>", pdf),
    "zeros for a signature": lambda pdf: re.sub(
        rb"<[0-9a-f]{2000,}>", lambda m: b"<" + b"0" * (len(m[0]) - 2) + b">", pdf
    ),
    "another kind of signature": lambda pdf: pdf.replace(b"/ETSI.CAdES.detached", b"/adbe.x509.rsa_sha1 "),
    "a wrapped signature": _wrapped,
}


# Shadow documents: prepared before they are sealed, changed after. Each is a PDF to seal and what is done to it then.


def _marked(pdf: bytes) -> int:
    """The number of the object that the attack is about."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        return int(opened.Root.Marked.objgen[0])


def _appearance(pdf: bytes) -> int:
    with pikepdf.open(BytesIO(pdf)) as opened:
        return int(opened.Root.Marked.AP.N.objgen[0])


def _overlay(pdf: pikepdf.Pdf) -> None:
    """A picture over words that are to show later."""
    page = pdf.pages[0]
    cover = pdf.make_stream(b"1 1 1 rg 0 0 595 842 re f", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 595, 842])
    page.Resources = Dictionary(page.Resources)
    page.Resources.XObject = Dictionary(Cover=cover)
    page.Contents = Array([pdf.make_stream(b"BT 60 400 Td ET"), pdf.make_stream(b"/Cover Do")])
    pdf.Root.Marked = cover


def _two_roots(pdf: pikepdf.Pdf) -> None:
    """A second document inside the first, which nothing shows yet."""
    page = Dictionary(Type=Name.Page, MediaBox=Array([0, 0, 595, 842]), Contents=pdf.make_stream(b"BT ET"))
    tree = pdf.make_indirect(Dictionary(Type=Name.Pages, Count=1, Kids=Array([pdf.make_indirect(page)])))
    root = pdf.make_indirect(Dictionary(Type=Name.Catalog, Pages=tree))
    pdf.Root.Marked = root


def _field(pdf: pikepdf.Pdf) -> None:
    """A field of a form that shows one value and holds another."""
    shown = pdf.make_stream(b"BT (0 EUR) Tj ET", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 200, 20])
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T="amount", V="100 EUR", Rect=Array([60, 400, 260, 420]),
            AP=Dictionary(N=shown),
        )
    )  # fmt: skip
    pdf.pages[0].Annots = Array([field])
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]))
    pdf.Root.Marked = field


_EMPTY = b"<</Type/XObject/Subtype/Form/BBox [0 0 0 0]/Length 0>>stream\n\nendstream"
_HELD_VALUE = b"<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/V(100 EUR)/Rect [60 400 260 420]>>"

SHADOWS: dict[str, tuple[Tampering, Tampering]] = {
    "hidden: the cover is emptied": (_by_pikepdf(_overlay), lambda pdf: updated(pdf, (_marked(pdf), _EMPTY))),
    "hidden: the cover is freed": (_by_pikepdf(_overlay), lambda pdf: updated(pdf, free=(_marked(pdf),))),
    "replaced: the field shows what it holds": (
        _by_pikepdf(_field),
        lambda pdf: updated(pdf, (_marked(pdf), _HELD_VALUE)),
    ),
    "replaced: the appearance is another": (
        _by_pikepdf(_field),
        lambda pdf: updated(pdf, (_appearance(pdf), content("100 EUR"))),
    ),
    "hidden and replaced: another root": (_by_pikepdf(_two_roots), lambda pdf: updated(pdf, root=_marked(pdf))),
}
"""Each is how a PDF is prepared before it is sealed, and what is done to it after."""

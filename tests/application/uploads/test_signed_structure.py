"""Signed PDFs in whose tables readers may find different objects: each kind by name, and a generator of more."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import ObjectStreamMode

from application.uploads.pdf_limits import PdfRefused
from application.uploads.pdf_syntax import NotPlain, parse
from application.uploads.signed_structure import check_structure
from application.uploads.validate_pdf import validate_pdf
from domain.audit.verification_report import Verdict
from layout.pdf.compare_pages import find_disagreement
from pades.verification.verify_file import verify_file
from tests.fakes.seals import KEYS, SEALER, seal
from tests.foreign_pdfs.pdf_builder import DRAWING, file, hybrid, objects, page, saved, updated, written
from tests.foreign_pdfs.signed_samples import PLAIN, SIGNED, signed

PACKED = saved(PLAIN, object_stream_mode=ObjectStreamMode.generate)
TWICE = updated(updated(PLAIN, {4: objects(drawing=DRAWING + b" ")[4]}), {6: b"<< >>"})
OTHER = objects(drawing=b"0 0 100 100 re f")[4]


def _with(pdf: bytes, old: bytes, new: bytes) -> bytes:
    """Returns the PDF with `new` in the place of the last `old`, which has to be as long."""
    assert len(old) == len(new)
    head, found, tail = pdf.rpartition(old)
    assert found
    return head + new + tail


def _row(pdf: bytes, number: int) -> bytes:
    """Returns the row of an object in the first table of a PDF."""
    rows = re.findall(rb"\d{10} \d{5} [nf] ", pdf)
    return bytes(rows[number])


def _shifted(pdf: bytes, number: int, by: int) -> bytes:
    row = _row(pdf, number)
    return pdf.replace(row, b"%010d" % (int(row[:10]) + by) + row[10:], 1)


def _shadowed(content: bytes) -> bytes:
    """Returns a file with bytes before its objects that a reader which searches for objects takes for one."""
    return written(objects(), before=content)


def _previous(change: Callable[[int], bytes]) -> bytes:
    """Returns a file of two revisions, the second of which names another as the earlier one."""
    head, _, tail = updated(PLAIN, {6: b"<< >>"}).rpartition(b"/Prev ")
    place, _, rest = tail.partition(b" ")
    return head + b"/Prev " + change(int(place)) + b" " + rest


def _second_root() -> bytes:
    pdf = updated(PLAIN, {6: b"<< /Type /Catalog /Pages 2 0 R >>"})
    return _with(pdf, b"/Root 1 0 R", b"/Root 6 0 R")


def _skipping() -> bytes:
    """Returns a file whose newest table leaves out the revision between, which then no table lists."""
    between = updated(PLAIN, {4: OTHER})
    newest = updated(between, {6: b"<< >>"})
    names = [int(name) for name in re.findall(rb"startxref\n(\d+)", newest)]
    return _with(newest, b"/Prev %d" % names[1], b"/Prev %0*d" % (len(str(names[1])), names[0]))


def _packed_elsewhere() -> bytes:
    """Returns a file with an object stream that holds an object which the table places elsewhere."""
    inner = b"4 0 << >>"
    return file(_6=b"<< /Type /ObjStm /N 1 /First 4 /Length %d >>\nstream\n%b\nendstream" % (len(inner), inner))


def _row_twice() -> bytes:
    pdf = updated(PLAIN, {6: b"<< >>"})
    row = pdf[pdf.rindex(b"6 1\n") : pdf.rindex(b"trailer")]
    return pdf.replace(row + b"trailer", row + row + b"trailer")


def _inner_object() -> bytes:
    """Returns a file in which an object that its table lists stands inside a string of another."""
    pdf = file(_6=b"(7 0 obj\n<< >>\nendobj)", _7=b"<< >>")
    return pdf.replace(_row(pdf, 7), b"%010d 00000 n " % (pdf.index(b"(7 0 obj") + 1))


NOT_PLAIN: dict[str, tuple[Callable[[], bytes], str]] = {
    "no offset at the end": (lambda: PLAIN.replace(b"startxref", b"startxxxx"), "not linked"),
    "an end that names another table": (lambda: re.sub(rb"startxref\n\d+", b"startxref\n7", PLAIN), "stand where"),
    "an earlier table a byte beside it": (lambda: _previous(lambda at: b"%d" % (at - 1)), "stand where"),
    "an earlier table with a sign": (lambda: _previous(lambda at: b"+%d" % at), "not plain"),
    "an earlier table as a fraction": (lambda: _previous(lambda at: b"%d.0" % at), "not plain"),
    "an earlier table by reference": (lambda: _previous(lambda _: b"6 0 R"), "not plain"),
    "an earlier table in the future": (lambda: _previous(lambda at: b"%d" % (at + 90_000)), "stand where"),
    "a revision that no table leads to": (_skipping, "do not list"),
    "a table that is its own predecessor": (
        lambda: PLAIN.replace(b"/Root", b"/Prev %d /Root" % PLAIN.rindex(b"xref\n0")), "not linked",
    ),
    "a second root": (_second_root, "more than one root"),
    "two tables for readers of two ages": (hybrid, "old readers"),
    "an offset that is too low": (lambda: _shifted(PLAIN, 4, -1), "stand where"),
    "an offset that is too high": (lambda: _shifted(PLAIN, 4, 1), "stand where"),
    "an offset in the future": (lambda: _shifted(PLAIN, 4, 90_000), "stand where"),
    "another generation": (
        lambda: PLAIN.replace(_row(PLAIN, 4), _row(PLAIN, 4).replace(b" 00000 n", b" 00001 n")), "stand where",
    ),
    "a number of several digits, read from its second": (
        lambda: _shifted(written({**objects(), 14: b"<< >>"}), 14, 1), "stand where",
    ),
    "two rows that lead to one object": (
        lambda: PLAIN.replace(_row(PLAIN, 3), _row(PLAIN, 4), 1), "stand where",
    ),
    "a row twice": (_row_twice, "not plain|rows"),
    "rows of another form": (lambda: written(objects(), row=b"\n"), "not plain"),
    "an object beyond the size": (lambda: PLAIN.replace(b"/Size 6", b"/Size 5"), "beyond the number"),
    "an object inside another": (_inner_object, "odd spelling"),
    "an object that no table lists": (lambda: _shadowed(b"4 0 obj\n%b\nendobj\n" % OTHER), "do not list"),
    "an object in a comment": (lambda: _shadowed(b"%4 0 obj << >> endobj\n"), "do not list"),
    "a trailer that no table has": (lambda: _shadowed(b"trailer << /Root 4 0 R >>\n"), "do not list"),
    "an object stream that holds another object": (
        lambda: _with(PACKED, b"/Type /ObjStm", b"/Type /ObjStX"), "stand where",
    ),
    "a reference to what is missing": (lambda: file(page(entries=b"/Odd 40 0 R")), "missing"),
    "a reference to what is deleted": (
        lambda: file(page(entries=b"/Odd 6 0 R"), _7=b"<< >>"), "missing",
    ),
    "a reference to nothing": (lambda: file(page(entries=b"/Odd 6 0 R"), _6=b"null"), "missing"),
    "a reference of another generation": (lambda: file(page(contents=b"4 1 R")), "missing"),
    "a reference with a sign": (lambda: file(page(contents=b"4 +0 R")), "odd spelling"),
    "a reference with a comment inside": (lambda: file(page(contents=b"4 %x\n0 R")), "odd spelling"),
    "an entry twice": (lambda: file(page(entries=b"/Rotate 0 /Rot#61te 90")), "twice"),
    "a stream that is longer than it says": (
        lambda: PLAIN.replace(b"/Length %d" % len(DRAWING), b"/Length %d" % (len(DRAWING) - 9)), "another length",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_what_readers_may_find_different_objects_in_is_refused(name: str) -> None:
    make, reason = NOT_PLAIN[name]
    with pytest.raises(NotPlain, match=reason):
        check_structure(make())


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_such_a_file_is_refused_with_a_signature_too(name: str) -> None:
    try:
        upload = signed(NOT_PLAIN[name][0](), strict=False)
    except Exception:  # noqa: BLE001  # what cannot be signed is no attack
        return
    with pytest.raises(PdfRefused):
        validate_pdf(upload)


@pytest.mark.parametrize("name", SIGNED)
def test_honest_files_are_plain(name: str) -> None:
    check_structure(SIGNED[name]())


@pytest.mark.parametrize("number", [2_000, 16_000])
def test_references_that_lead_deep_are_followed(number: int) -> None:
    chain = {6 + each: b"[%d 0 R]" % (7 + each) for each in range(number)}
    check_structure(written({**objects(catalog=b"/Odd 6 0 R"), **chain, 6 + number: b"[]"}))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(NotPlain):
        assert parse(data, 0).end <= len(data)


_NUMBER = re.compile(rb"(?:/Prev |/Size |/L |startxref\n|/Root |/Contents |/Kids \[|/Length )(\d+)")
_ROW = re.compile(rb"(\d{10}) \d{5} [nf]")


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    """Returns a file, linearised or not, of one or more revisions, with up to three changes of its structure."""
    length = draw(st.sampled_from([600, 1_200, 4_687, 4_800, 60_000]))
    mark = b"9 0 obj\n<< /Linearized 1 /L %d /O 3 >>\nendobj\n" % length
    pdf = draw(st.sampled_from([PLAIN, TWICE, PACKED, saved(PLAIN, linearize=True), written(objects(), before=mark)]))
    for _ in range(draw(st.integers(0, 3))):
        places = [*map(int, re.findall(rb"startxref\n(\d+)", pdf)), pdf.find(b"4 0 obj"), pdf.rfind(b"4 0 obj")]
        new = max(0, draw(st.sampled_from([0, 1, 4, 6, 9, len(pdf), length, *places])) + draw(st.integers(-1, 1)))
        rows = list(_ROW.finditer(pdf))
        if rows and draw(st.booleans()):
            one = draw(st.sampled_from(rows))
            row = b"%010d 00000 %b" % (draw(st.sampled_from([new, int(one[1])])), draw(st.sampled_from([b"n", b"f"])))
            pdf = pdf[: one.start()] + row + pdf[one.end() :]
        else:
            one = draw(st.sampled_from(list(_NUMBER.finditer(pdf))))
            pdf = pdf[: one.start(1)] + b"%0*d" % (len(one[1]), new) + pdf[one.end(1) :]
    return pdf


@settings(max_examples=60, deadline=None)
@given(_mutated())
def test_what_is_accepted_looks_the_same_in_both_renderers_and_is_genuine_under_the_seal(pdf: bytes) -> None:
    try:
        upload = signed(pdf, strict=False)
    except Exception:  # noqa: BLE001  # what cannot be signed is no attack
        return
    try:
        validate_pdf(upload)
    except PdfRefused:
        return
    sealed = asyncio.run(seal(upload, SEALER)).pdf
    assert find_disagreement(sealed) is None
    assert verify_file(sealed, KEYS.trusted(), datetime.now(UTC)).verdict is Verdict.GENUINE

"""PDFs that were made to keep what seals them busy for ever, or to make it swell: sound enough to get that far."""

from collections.abc import Callable, Mapping

from tests.application.uploads.pdfs import deflated, stream
from tests.foreign_pdfs.pdf_builder import file, objects, page, updated, written
from tests.foreign_pdfs.signed_samples import signed

DAMAGED, NOT_SEALABLE = "is damaged", "cannot be added"


def _form(**fields: bytes) -> bytes:
    return file(catalog=b"/AcroForm << /Fields [6 0 R] >>", **fields)


def of_fields(count: int) -> bytes:
    fields = {f"_{number}": b"<< /T (%d) /FT /Sig >>" % number for number in range(6, 6 + count)}
    listed = b" ".join(b"%d 0 R" % number for number in range(6, 6 + count))
    return file(catalog=b"/AcroForm << /Fields [%b] >>" % listed, **fields)


def _fields_within_fields(depth: int, times: int = 1) -> bytes:
    """Returns form fields nested to a depth, each with `times` references to the next."""
    fields = {f"_{at}": b"<< /T (%d) /Kids [%b] >>" % (at, b"%d 0 R " % (at + 1) * times) for at in range(6, 6 + depth)}
    return _form(**fields, **{f"_{6 + depth}": b"<< /T (x) /FT /Sig >>"})


def of_one_field(times: int = 1_000_000) -> bytes:
    return file(catalog=b"/AcroForm << /Fields [%b] >>" % (b"6 0 R " * times), _6=b"<< /T (a) >>")


def of_annotations(count: int) -> bytes:
    return file(
        page(entries=b"/Annots [%b]" % (b"6 0 R " * count)),
        _6=b"<< /Type /Annot /Subtype /Text /Rect [0 0 1 1] >>",
    )


def of_revisions(count: int) -> bytes:
    pdf = bytearray(file())
    before = int(bytes(pdf).rsplit(b"startxref", 1)[1].split()[0])
    for _ in range(count):
        here = len(pdf)
        pdf += b"xref\n0 0\ntrailer\n<< /Size 6 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n" % (before, here)
        before = here
    return bytes(pdf)


def _revisions_in_a_circle() -> bytes:
    pdf = updated(file(), {3: page()})
    own = pdf.rsplit(b"startxref", 1)[1].split()[0]
    head, tail = pdf.rsplit(b"/Prev ", 1)
    return head + b"/Prev " + own + tail[tail.index(b" ") :]


def _signed_over(ranges: bytes) -> bytes:
    """Returns a signature that claims to be about other parts of the file."""
    pdf = signed()
    start = pdf.index(b"/ByteRange [")
    end = pdf.index(b"]", start)
    return pdf[:start] + (b"/ByteRange [" + ranges).ljust(end - start) + pdf[end:]


def _signed_with(content: bytes) -> bytes:
    """Returns a signature whose own bytes are these."""
    pdf = signed()
    start = pdf.index(b"/Contents <") + len(b"/Contents <")
    end = pdf.index(b">", start)
    return pdf[:start] + content.hex().encode().ljust(end - start, b"0")[: end - start] + pdf[end:]


def _sequences_in_sequences(depth: int) -> bytes:
    content = b""
    for _ in range(depth):
        size = len(content)
        content = b"\x30" + (bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")) + content
    return content


def _signed_often(count: int) -> bytes:
    """Fields that all have the same signature."""
    fields = {f"_{at}": b"<< /T (%d) /FT /Sig /V 5000 0 R >>" % at for at in range(6, 6 + count)}
    value = b"<< /Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <00> >>"
    listed = b" ".join(b"%d 0 R" % number for number in range(6, 6 + count))
    return file(catalog=b"/AcroForm << /Fields [%b] >>" % listed, **fields, _5000=value)


def _bookmarks_in_a_circle() -> bytes:
    return file(
        catalog=b"/Outlines 6 0 R",
        _6=b"<< /First 7 0 R /Last 7 0 R >>",
        _7=b"<< /Title (a) /Next 7 0 R /First 6 0 R /Parent 6 0 R >>",
    )


def _parents_in_a_circle() -> bytes:
    return _form(_6=b"<< /T (a) /Parent 7 0 R >>", _7=b"<< /T (b) /Parent 6 0 R >>")


def _drawings_in_drawings() -> bytes:
    """Returns nested form XObjects that draw ten billion dots: each draws the next one ten times."""
    depth = 10
    drawn = b"/F Do " * 10
    forms = {
        6 + at: stream(
            drawn, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F %d 0 R >> >>" % (7 + at)
        )
        for at in range(depth)
    }
    last = {6 + depth: stream(b"0 0 1 1 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")}
    leaf = page(resources=b"<< /XObject << /F 6 0 R >> >>")
    return written({**objects(leaf, drawing=b"/F Do"), **forms, **last})


REFUSED: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "a field that is its own kid": (lambda: _form(_6=b"<< /T (a) /Kids [6 0 R] >>"), DAMAGED),
    "fields that are one another's kids": (
        lambda: _form(_6=b"<< /T (a) /Kids [7 0 R] >>", _7=b"<< /T (b) /Kids [6 0 R] >>"),
        DAMAGED,
    ),
    "fields within fields, 20,000 deep": (lambda: _fields_within_fields(20_000), DAMAGED),
    "a million million fields in three kilobytes": (lambda: _fields_within_fields(40, times=2), DAMAGED),
    "one field a million times": (of_one_field, DAMAGED),
    "fields that are none": (lambda: file(catalog=b"/AcroForm << /Fields [%b] >>" % (b"[] " * 50_000)), DAMAGED),
    "a list of fields that lists itself": (
        lambda: file(catalog=b"/AcroForm << /Fields 6 0 R >>", _6=b"[6 0 R]"),
        DAMAGED,
    ),
    "a field more than is taken": (lambda: of_fields(5_001), "more than 5,000 fields"),
    "an annotation more than is taken": (lambda: of_annotations(5_001), "more than 5,000 annotations"),
    "a revision more than is taken": (lambda: of_revisions(1_000), "has more than 1,000 revisions"),
    "revisions in a circle": (_revisions_in_a_circle, DAMAGED),
    "a length that is its own": (lambda: file(_6=b"<< /Length 6 0 R >>\nstream\nabc\nendstream"), DAMAGED),
    "a signature of what is not there": (lambda: _signed_over(b"0 99999999999 0 0"), "does not hold"),
    "a signature of less than nothing": (lambda: _signed_over(b"0 -5 3 4"), "does not hold"),
    "a signature of words": (lambda: _signed_over(b"0 (a) 1 1"), "cannot be checked"),
    "a signature of sequences in sequences": (lambda: _signed_with(_sequences_in_sequences(700)), "cannot be"),
    "a signature that is noise": (lambda: _signed_with(b"\xff" * 900), "cannot be"),
    "a thousand signatures": (lambda: _signed_often(1_000), "cannot be|more than 40 signatures"),
    "1.2 GB in a signature field": (
        lambda: _form(_6=b"<< /T (a) /FT /Sig /V 7 0 R >>", _7=stream(deflated(1_200), b"/Filter /FlateDecode")),
        "far larger",
    ),
}

ALLOWED_ATTRIBUTES: Mapping[str, Callable[[], bytes]] = {
    "a form that refers to itself": lambda: file(catalog=b"/AcroForm 6 0 R", _6=b"7 0 R", _7=b"6 0 R"),
    "bookmarks in a circle": _bookmarks_in_a_circle,
    "parents of a field in a circle": _parents_in_a_circle,
    "drawings in drawings": _drawings_in_drawings,
    "as many fields as are taken": lambda: of_fields(5_000),
    "as many annotations as are taken": lambda: of_annotations(5_000),
    "as many revisions as are taken": lambda: of_revisions(39),
    "a hundred thousand objects": lambda: file(**{f"_{number}": b"null" for number in range(6, 100_000)}),
}
"""Those that look bad, and are sealed within the limits."""

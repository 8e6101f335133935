"""Accepted PDFs, and the reasons of refusals (Specification 2.13)."""

import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Name, String

from adapters.processes.job_limits import UNTRUSTED_FILES, JobLimits
from adapters.processes.pool import ForkServerPool
from application.documents.render_jobs import render_certificate
from application.uploads.pdf_limits import MAX_STREAM, PdfRefused
from application.uploads.validate_pdf import validate_pdf
from domain.ports.process_pool import ProcessDied
from domain.shared.limits import MAX_PDF
from layout.engine import render
from layout.geometry import MAX_PAGES
from layout.schema.block_document import BlockDocument
from tests.api.service import document
from tests.application.test_certificate import attached, facts
from tests.application.uploads import pdfs
from tests.pades.verification.test_statements import FORMS, HOLDERS, holding

LITTLE = 200 * 1024**2
"""Bytes. What is refused has to be refused within these, or its process would end."""

JAVASCRIPT, LAUNCH, XFA, PROGRAM = "JavaScript", "starts a program", "XFA form", "a program as an attachment"
DAMAGED, ENCRYPTED, CUT_OFF, LARGER = "is damaged", "is encrypted", "cut off, or other bytes", "far larger"


FACTS = attached(render_certificate(facts()))
CERTIFICATE = "in the format of our certificates"


@pytest.fixture(scope="module")
async def quarantine() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(
        1, limits=JobLimits(seconds=60, memory=LITTLE), warm_modules=("application.uploads.validate_pdf",)
    )
    yield pool
    await pool.close()


@pytest.mark.parametrize(
    ("content", "pages"),
    [
        (pdfs.pdf(), 1),
        (pdfs.of_pages(12), 12),
        (pdfs.of_levels(20), 1),
        (pdfs.pdf() + b"\r\n\0\0", 1),
        (pdfs.with_attachment(b"invoice.xml", b"<invoice/>"), 1),
        (pdfs.with_object(b"<< /S /URI /URI (https://example.com/javascript:) >>"), 1),
        (pdfs.with_object(b"<< /S /GoTo /D [3 0 R /Fit] >>"), 1),
        (pdfs.with_object(b"(/S /JavaScript /JS)"), 1),
        (b"\r\n" + pdfs.pdf(), 1),
        (b"<html>" + pdfs.pdf(), 1),
        (pdfs.pdf() + bytes(4_096), 1),
        (pdfs.pdf({**pdfs.SOUND, 2: b"<< /Type /Pages /Kids [3 0 R] /Count 5 >>"}), 1),
        (pdfs.pdf().replace(b"/Size 4", b"/Size 999999999"), 1),
    ],
)
def test_valid_files_are_accepted_with_their_page_count(content: bytes, pages: int) -> None:
    assert validate_pdf(content).page_count == pages


SCRIPTED = {
    "a script when it is opened": (pdfs.with_catalog(b"/OpenAction << /S /JavaScript /JS (alert(1)) >>"), JAVASCRIPT),
    "a script under a name": (pdfs.with_catalog(b"/Names << /JavaScript << /Names [(a) 4 0 R] >> >>"), JAVASCRIPT),
    "a script whose name is spelled out": (pdfs.with_object(b"<< /S /J#61vaScript /J#53 (1) >>"), JAVASCRIPT),
    "a script in an object that nothing leads to": (pdfs.with_object(b"<< /S /JavaScript /JS 5 0 R >>"), JAVASCRIPT),
    "a script deep inside": (pdfs.with_object(b"[ [ << /A << /Next [ << /S /JavaScript >> ] >> >> ] ]"), JAVASCRIPT),
    "a script in a stream's dictionary": (pdfs.with_object(pdfs.stream(b"x", b"/AA << /JS (1) >>")), JAVASCRIPT),
    "a script in the trailer": (pdfs.pdf(trailer=b"/X << /JS (1) >>"), JAVASCRIPT),
    "a script of a drawing in space": (pdfs.with_object(b"<< /Subtype /U3D /OnInstantiate (x) >>"), JAVASCRIPT),
    "a script as an address": (pdfs.with_object(b"<< /S /URI /URI (Java\\nScript:alert) >>"), JAVASCRIPT),
    "a launch action": (pdfs.with_object(b"<< /S /Launch /F (calc.exe) >>"), LAUNCH),
    "an import action": (pdfs.with_object(b"<< /S /ImportData /F (x.fdf) >>"), "reads files"),
    "an XFA form": (pdfs.with_catalog(b"/AcroForm << /Fields [] /XFA [(a) 4 0 R] >>"), XFA),
    "rich media": (pdfs.with_object(b"<< /Subtype /RichMedia /RichMediaContent << >> >>"), "rich media"),
    "an attached program by name": (pdfs.with_attachment(b"report.pdf.EXE ", b"x"), PROGRAM),
    "an attached program of Windows": (pdfs.with_attachment(b"report.txt", b"MZ\x90\0"), PROGRAM),
    "an attached program of Linux": (pdfs.with_attachment(b"report", b"\x7fELF"), PROGRAM),
    "an attached page of the web": (pdfs.with_attachment(b"mail.html", b"<p>Hello"), "a web page as an attachment"),
    "an attached drawing of the web": (pdfs.with_attachment(b"plan.SVG", b"<svg/>"), "a web page as an attachment"),
    "an attached shell script": (pdfs.with_attachment(b"notes.txt", b"#!/bin/sh"), PROGRAM),
}

ENCRYPTED_FILES = {
    "a password to open it": (pdfs.encrypted("secret"), ENCRYPTED),
    "restrictions": (pdfs.encrypted(), ENCRYPTED),
    "one encrypted stream": (pdfs.with_object(pdfs.stream(b"x", b"/Filter /Crypt")), "encrypted in parts"),
}

DAMAGED_FILES = {
    "nothing": (b"", "no PDF"),
    "a text": (b"hello", "no PDF"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(1_024) + pdfs.pdf(), "no PDF"),
    "an archive after it": (pdfs.pdf() + b"PK\x03\x04" + bytes(100), CUT_OFF),
    "no end": (pdfs.pdf()[:-60], CUT_OFF),
    "nothing but beginning and end": (b"%PDF-1.7\n%%EOF", DAMAGED),
    "a table that is wrong": (pdfs.pdf().replace(b"startxref\n", b"startxref\n9"), DAMAGED),
    "objects elsewhere than the table says": (pdfs.pdf().replace(b"1 0 obj", b"\n\n\n1 0 obj"), DAMAGED),
    "no pages": (pdfs.pdf({**pdfs.SOUND, 2: b"<< /Type /Pages /Kids [] /Count 0 >>"}), "no pages"),
    "no tree of pages": (pdfs.pdf({**pdfs.SOUND, 1: b"<< /Type /Catalog >>"}), DAMAGED),
    "a tree that is a number": (pdfs.pdf({**pdfs.SOUND, 2: b"7"}), DAMAGED),
    "a page that is missing": (pdfs.pdf({1: pdfs.CATALOG, 2: pdfs.PAGES}), DAMAGED),
    "a stream that is no deflate": (pdfs.with_object(pdfs.stream(b"hello", b"/Filter /FlateDecode")), DAMAGED),
    "a stream whose length is wrong": (pdfs.with_object(b"<< /Length 999 >>\nstream\nx\nendstream"), DAMAGED),
    "a filter that nobody knows": (pdfs.with_object(pdfs.stream(b"x", b"/Filter /Nothing")), DAMAGED),
}

ENORMOUS: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "one page a million times": (lambda: pdfs.of_one_page_listed(1_000_000), DAMAGED),
    "a page more than is taken": (lambda: pdfs.of_pages(MAX_PAGES + 1), "more than 2,000 pages"),
    "a tree of 50,000 levels": (lambda: pdfs.of_levels(50_000), DAMAGED),
    "a tree that leads back to itself": (
        lambda: pdfs.pdf({**pdfs.SOUND, 2: b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}),
        DAMAGED,
    ),
    "a tree that leads back in a circle": (
        lambda: pdfs.pdf({**pdfs.SOUND, 3: b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>", 4: pdfs.PAGES}),
        DAMAGED,
    ),
    "a million brackets": (lambda: pdfs.with_object(b"[" * 500_000 + b"]" * 500_000), DAMAGED),
    "a hundred brackets": (lambda: pdfs.with_object(b"[" * 120 + b"]" * 120), DAMAGED),
    "1.2 GB of content": (lambda: pdfs.inflating(1_200), LARGER),
    "1.2 GB of content, deflated twice": (lambda: pdfs.inflating(1_200, twice=True), LARGER),
    "1.2 GB of a picture": (lambda: pdfs.inflating(1_200, b"/Subtype /Image /Width 9 /Height 9"), LARGER),
    "a picture of 50,000 x 50,000 pixels": (
        lambda: pdfs.with_object(pdfs.stream(b"x", b"/Subtype /Image /Width 50000 /Height 50000 /Filter /DCTDecode")),
        "more than 250 million pixels",
    ),
}


@pytest.mark.parametrize("name", [*SCRIPTED, *ENCRYPTED_FILES, *DAMAGED_FILES])
async def test_others_are_refused_with_the_reason(quarantine: ForkServerPool, name: str) -> None:
    content, reason = {**SCRIPTED, **ENCRYPTED_FILES, **DAMAGED_FILES}[name]
    with pytest.raises(PdfRefused, match=reason):
        await quarantine.run(validate_pdf, content)


@pytest.mark.parametrize("name", ENORMOUS)
async def test_a_decompression_bomb_is_refused_within_little_memory(quarantine: ForkServerPool, name: str) -> None:
    make, reason = ENORMOUS[name]
    content = make()
    assert len(content) <= MAX_PDF
    with pytest.raises(PdfRefused, match=reason):
        await quarantine.run(validate_pdf, content)


@pytest.mark.parametrize("make", [pdfs.with_object_stream, pdfs.with_table_stream])
async def test_inflating_object_streams_ends_the_process_or_is_refused(
    make: Callable[[int], bytes],
) -> None:
    content = make(1_200)
    assert len(content) <= MAX_PDF
    pool = ForkServerPool(1, limits=JobLimits(seconds=10, memory=UNTRUSTED_FILES.memory))
    with pytest.raises((ProcessDied, PdfRefused)):
        await pool.run(validate_pdf, content)
    assert (await pool.run(validate_pdf, pdfs.pdf())).page_count == 1
    await pool.close()


def test_the_maximum_of_pages_is_accepted() -> None:
    assert validate_pdf(pdfs.of_pages(MAX_PAGES)).page_count == MAX_PAGES


def test_the_maximum_size_of_a_stream_is_accepted_and_a_byte_more_is_not() -> None:
    content = zlib.compress(bytes(MAX_STREAM))
    assert validate_pdf(pdfs.with_object(pdfs.stream(content, b"/Filter /FlateDecode"))).page_count == 1
    content = zlib.compress(bytes(MAX_STREAM + 1))
    with pytest.raises(PdfRefused, match=LARGER):
        validate_pdf(pdfs.with_object(pdfs.stream(content, b"/Filter /FlateDecode")))


def test_pdfs_of_the_layout_engine_are_accepted() -> None:
    rendered = render(BlockDocument.model_validate(document()), ["ada"])
    assert rendered.pdf
    assert validate_pdf(rendered.pdf).page_count == rendered.page_count


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_data_in_the_format_of_certificates_is_refused(holder: str, form: str) -> None:
    with pytest.raises(PdfRefused, match=CERTIFICATE):
        validate_pdf(holding(holder, FORMS[form](FACTS)))


def test_a_certificate_of_completion_is_refused() -> None:
    with pytest.raises(PdfRefused, match=CERTIFICATE):
        validate_pdf(render_certificate(facts()))


@pytest.mark.parametrize("holder", HOLDERS)
def test_other_attachments_are_accepted(holder: str) -> None:
    assert validate_pdf(holding(holder, b'{"format": "of somebody else"}')).page_count == 1


@pytest.mark.parametrize(
    "name",
    [
        "certificate.json",
        "CERTIFICATE.JSON",
        "./certificate.json",
        "folder\\certificate.json",
        "certificate.json ",
        "certificate.json.",
        "certi\u200bficate.json",
        "ｃertificate.json",
        "\u202ecertificate.json",
    ],
)
@pytest.mark.parametrize("key", ["UF", "F", "Unix", "names"])
def test_the_name_of_the_data_is_refused_whatever_the_file_holds(name: str, key: str) -> None:
    output = BytesIO()
    with pikepdf.open(BytesIO(holding("names", b"anything"))) as pdf:
        held = pdf.Root.Names.EmbeddedFiles.Names
        if key == "names":
            pdf.Root.Names.EmbeddedFiles.Names = Array([String(name), held[1]])
        else:
            held[1][Name(f"/{key}")] = pdf.make_indirect(String(name))
        pdf.save(output)
    with pytest.raises(PdfRefused, match=CERTIFICATE):
        validate_pdf(output.getvalue())


@pytest.mark.parametrize("filters", ["/CCITTFaxDecode", "/DCTDecode", "/JBIG2Decode", "/Unknown"])
def test_an_attached_file_that_cannot_be_read_is_refused(filters: str) -> None:
    output = BytesIO()
    with pikepdf.open(BytesIO(holding("catalogue", b"anything"))) as pdf:
        pdf.Root.AF[-1].EF.F.write(b"anything", filter=Name(filters))
        pdf.save(output)
    with pytest.raises(PdfRefused):
        validate_pdf(output.getvalue())

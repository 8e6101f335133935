"""No upload holds what could be taken for the facts of a certificate of completion, wherever and however it is held."""

from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Name, String

from application.documents.render_jobs import render_certificate
from application.uploads.pdf.errors import PdfRefused
from application.uploads.pdf.validate import validate_pdf
from tests.application.certificate.test_report import attached, facts
from tests.pades.verification.test_statements import FORMS, HOLDERS, holding

FACTS = attached(render_certificate(facts()))
REFUSED = "in the format of our certificates"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_the_format_is_refused(holder: str, form: str) -> None:
    with pytest.raises(PdfRefused, match=REFUSED):
        validate_pdf(holding(holder, FORMS[form](FACTS)))


def test_a_certificate_of_ours_is_refused_too() -> None:
    with pytest.raises(PdfRefused, match=REFUSED):
        validate_pdf(render_certificate(facts()))


@pytest.mark.parametrize("holder", HOLDERS)
def test_other_files_are_taken(holder: str) -> None:
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
def test_the_name_is_refused_whatever_the_file_holds(name: str, key: str) -> None:
    output = BytesIO()
    with pikepdf.open(BytesIO(holding("names", b"anything"))) as pdf:
        held = pdf.Root.Names.EmbeddedFiles.Names
        if key == "names":
            pdf.Root.Names.EmbeddedFiles.Names = Array([String(name), held[1]])
        else:
            held[1][Name(f"/{key}")] = pdf.make_indirect(String(name))
        pdf.save(output)

    with pytest.raises(PdfRefused, match=REFUSED):
        validate_pdf(output.getvalue())


@pytest.mark.parametrize("filters", ["/CCITTFaxDecode", "/DCTDecode", "/JBIG2Decode", "/Unknown"])
def test_an_attached_file_that_cannot_be_read_is_refused(filters: str) -> None:
    output = BytesIO()
    with pikepdf.open(BytesIO(holding("catalogue", b"anything"))) as pdf:
        pdf.Root.AF[-1].EF.F.write(b"anything", filter=Name(filters))
        pdf.save(output)

    with pytest.raises(PdfRefused):
        validate_pdf(output.getvalue())

"""PDFs that others have signed: their signatures hold under our seal, or the PDF is refused and the reason given."""

from io import BytesIO
from pathlib import Path

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from domain.ports.uploads import PRINT_AGAIN
from pades.prepare_seal import prepare_seal
from tests.application.uploads import pdfs
from tests.fakes.seals import REFERENCE, SEALER, seal
from tests.foreign_pdfs.signed_samples import NOT_PLAIN, SIGNED, UNSEALABLE
from tests.layout.reading import pdfsig

pytestmark = pytest.mark.foreign_pdfs


@pytest.fixture(params=SIGNED)
def uploaded(request: pytest.FixtureRequest) -> bytes:
    return SIGNED[request.param]()


@pytest.mark.poppler
async def test_their_signatures_and_our_seal_hold_side_by_side_and_nothing_was_done_that_one_forbids(
    uploaded: bytes, tmp_path: Path
) -> None:
    assert validate_pdf(uploaded).rewritten is None
    before = pdfsig(uploaded, tmp_path).count("Signature is Valid.")

    sealed = await seal(uploaded, SEALER)

    assert sealed.pdf.startswith(uploaded)
    result = pdfsig(sealed.pdf, tmp_path)
    assert result.count("Signature is Valid.") == before + 1
    assert result.count("Total document signed") == 1
    reader = PdfFileReader(BytesIO(sealed.pdf), strict=True)
    trust = ValidationContext(trust_roots=[])
    statuses = [await async_validate_pdf_signature(each, trust) for each in reader.embedded_regular_signatures]
    times = [await async_validate_pdf_timestamp(each, trust) for each in reader.embedded_timestamp_signatures]
    assert [status.summary() for status in (*statuses, *times) if not (status.intact and status.valid)] == []
    assert [status.summary() for status in statuses if not status.docmdp_ok] == []
    assert statuses[-1].coverage is SignatureCoverageLevel.ENTIRE_FILE
    assert len(statuses) + len(times) == uploaded.count(b"/ByteRange") + 1


@pytest.mark.parametrize("name", [*UNSEALABLE, *NOT_PLAIN])
def test_what_our_seal_would_break_or_readers_show_differently_is_refused_with_the_reason(name: str) -> None:
    make, reason = {**UNSEALABLE, **NOT_PLAIN}[name]
    upload = make()
    with pytest.raises(PdfRefused, match=reason) as refused:
        validate_pdf(upload)
    if PRINT_AGAIN in str(refused.value) and b"/ByteRange" in upload:
        assert str(refused.value).endswith("leaves the signature out.")


async def test_what_we_have_sealed_takes_no_other_seal_and_the_answer_says_why() -> None:
    sealed = await seal(pdfs.pdf(), SEALER)
    with pytest.raises(PdfRefused, match="forbids every change"):
        validate_pdf(sealed.pdf)


def test_a_seal_over_a_signature_goes_into_a_field_of_its_own() -> None:
    named_as_ours = SIGNED["signed under the name of our seal"]()
    assert b"(Seal2)" in prepare_seal(named_as_ours, 1000, REFERENCE).pdf

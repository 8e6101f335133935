"""What is added to a sealed PDF: evidence leaves it genuine, whoever adds it, and nothing else does."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

import pikepdf
import pytest
from asn1crypto import crl, x509
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.signers.pdf_signer import PdfTimeStamper
from pyhanko.sign.validation.dss import DocumentSecurityStore, async_add_validation_info
from pyhanko_certvalidator import ValidationContext

from application.documents.verify import MAX_PAGES, check_file
from domain.audit.verification_report import Check, Outcome, Verdict
from domain.ports.seals import NotSealable, SealNotValid
from layout.pdf import compare_pages
from layout.pdf.compare_pages import RENDERERS, first_difference
from pades import seal_validation
from pades.augmentation import prepare_timestamp
from pades.certificates import new_crl
from pades.seal_validation import check_seal
from pades.sealability import check_sealable
from pades.updates.check_updates import check_updates
from pades.updates.grammar import MAX_REVISIONS
from pades.verification import signed_ranges
from pades.verification.signed_ranges import MAX_SIGNATURES
from pades.verification.verify_file import verify_file
from tests.application.uploads import pdfs
from tests.fakes.seals import KEYS
from tests.foreign_pdfs.unusual import unusual_pdf
from tests.pades.verification.additions import (
    ADDITIONS,
    Opened,
    content_added,
    list_extended,
    waiting_for_a_list,
    waiting_for_another_generation,
    waiting_for_content,
)
from tests.pades.verification.prepared_documents import base, certificate
from tests.pades.verification.sealed_files import (
    CLOCK,
    NOW,
    TRUSTED,
    Sealing,
    look_alike,
    pages,
    sealed,
    with_document_timestamp,
    with_revocations,
    with_revocations_by_others,
)
from tests.pades.verification.test_verify_file import STAMPED, told

SOON = NOW + timedelta(minutes=1)
UNUSUAL = (
    "version 1.3",
    "version 2.0",
    "a form that is an object",
    "a place to sign with the name of our own",
    "all in references",
    "an identifier and a title",
    "an old file with all unpacked",
    "annotated",
    "lines that end as on old Macs",
    "object streams",
    "updated often",
    "with gaps",
)
_BASES = [(prepared, raised) for prepared in (False, True) for raised in (False, True)]


@pytest.mark.parametrize("addition", ADDITIONS)
def test_what_looks_like_evidence_and_is_more_is_a_change(addition: str) -> None:
    before = sealed(pages())
    after = ADDITIONS[addition](Opened(before))
    assert after.startswith(before)
    assert verify_file(after, TRUSTED, NOW).verdict is Verdict.CHANGED
    with pytest.raises(SealNotValid):
        check_seal(after, TRUSTED)


@pytest.mark.parametrize("wait", [waiting_for_content, waiting_for_another_generation])
def test_a_certificate_that_a_page_waited_for_as_its_content_is_a_change(wait: Callable[[bytes], bytes]) -> None:
    before = sealed(wait(pages()))
    named = re.findall(rb"/Contents \[ ?\d+ 0 R (\d+)", before)[-1]
    after = content_added(Opened(before), int(named))
    assert verify_file(before, TRUSTED, NOW).verdict is Verdict.GENUINE
    assert "refers to an added object" in told(verify_file(after, TRUSTED, NOW), Check.CHANGES)


def test_a_store_whose_list_is_also_the_contents_of_a_page_takes_nothing_more() -> None:
    before = sealed(waiting_for_a_list(pages()))
    assert verify_file(before, TRUSTED, NOW).verdict is Verdict.GENUINE
    assert verify_file(list_extended(Opened(before)), TRUSTED, NOW).verdict is Verdict.CHANGED


def test_the_pages_of_attacks_that_show_do_differ() -> None:
    before = Opened(sealed(pages()))
    shows = {name for name, add in ADDITIONS.items() if first_difference(before.pdf, add(before)) is not None}
    assert shows >= {"a field with a look", "a look that a certificate names", "a look for the seal itself"}


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize(("is_prepared", "is_raised"), _BASES)
def test_evidence_and_timestamps_in_any_number_are_no_change(
    *, rounds: int, is_prepared: bool, is_raised: bool
) -> None:
    file = base(is_prepared=is_prepared, is_raised=is_raised).pdf
    for _ in range(rounds):
        file = with_document_timestamp(with_revocations(file, KEYS.authority), CLOCK.stamper(NOW))
    assert check_file(file, TRUSTED, SOON).verdict is Verdict.GENUINE
    assert check_seal(file, TRUSTED)


@pytest.mark.parametrize("name", UNUSUAL)
def test_evidence_in_unusual_files_is_no_change(name: str) -> None:
    before = sealed(unusual_pdf(name))
    for add in (with_revocations, with_revocations_by_others):
        after = add(with_document_timestamp(add(before, KEYS.authority), CLOCK.stamper(NOW)), CLOCK.root)
        check_updates(after, len(before))


async def test_a_timestamp_by_the_service_itself_is_no_change() -> None:
    file = sealed(pages(), STAMPED)
    prepared = prepare_timestamp(file, 8_000)
    token = await CLOCK.stamper(NOW).async_timestamp(prepared.digest, "sha256")
    report = check_file(prepared.with_signature(token.dump()), TRUSTED, SOON)
    assert report.verdict is Verdict.GENUINE
    assert "look as they did" in told(report, Check.PAGES)


async def test_a_timestamp_of_something_else_is_a_change() -> None:
    prepared = prepare_timestamp(sealed(pages()), 8_000)
    token = await CLOCK.stamper(NOW).async_timestamp(bytes(32), "sha256")
    report = verify_file(prepared.with_signature(token.dump()), TRUSTED, SOON)
    assert report.verdict is Verdict.CHANGED
    assert "a timestamp that does not hold" in told(report, Check.CHANGES)


@pytest.mark.parametrize("pdf", [pages(), pdfs.of_pages(2)], ids=["of blocks", "uploaded"])
async def test_what_another_tool_adds_to_keep_it_checkable_is_no_change(pdf: bytes) -> None:
    output = BytesIO(sealed(pdf, STAMPED))
    roots = [x509.Certificate.load(der) for der in (*TRUSTED.seals, *TRUSTED.timestamps)]
    lists = [crl.CertificateList.load(new_crl(pair)) for pair in (KEYS.authority, CLOCK.root)]
    context = ValidationContext(trust_roots=roots, crls=lists, allow_fetching=False, revocation_mode="soft-fail")
    reader = PdfFileReader(output)
    signature = reader.embedded_signatures[-1]
    await async_add_validation_info(signature, context, in_place=True)
    DocumentSecurityStore.add_dss(output, signature.pkcs7_content.hex().encode(), certs=roots, crls=lists)
    stamper = PdfTimeStamper(CLOCK.stamper(NOW))
    await stamper.async_timestamp_pdf(IncrementalPdfFileWriter(output), "sha256", in_place=True)
    await stamper.async_update_archival_timestamp_chain(PdfFileReader(output), context, in_place=True)

    report = check_file(output.getvalue(), TRUSTED, SOON)

    assert report.verdict is Verdict.GENUINE, told(report, Check.CHANGES)
    assert output.getvalue().count(b"/DocTimeStamp") == 2


def test_pages_that_cannot_be_compared_leave_it_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_pages, "_MAX_COMPARED_PIXELS", 1_000)
    file = sealed(pages())
    report = check_file(with_revocations(file, KEYS.authority), TRUSTED, SOON)
    assert report.verdict is Verdict.UNPROVEN
    assert [one.outcome for one in report.findings if one.check is Check.PAGES] == [Outcome.FAILS]
    assert check_file(file, TRUSTED, SOON).verdict is Verdict.GENUINE  # nothing was added: there is nothing to compare


def test_pages_that_differ_make_it_changed_whatever_the_structure_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_ranges, "check_updates", lambda pdf, end: None)
    monkeypatch.setattr(seal_validation, "check_updates", lambda pdf, end: None)
    report = check_file(ADDITIONS["a field with a look"](Opened(sealed(pages()))), TRUSTED, NOW)
    assert report.verdict is Verdict.CHANGED
    assert "Page 1 does not look as it did" in told(report, Check.PAGES)


@pytest.mark.parametrize("page", [1, MAX_PAGES + 5])
def test_all_pages_are_compared_with_the_sealed_ones_in_both_renderers(
    monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    file = sealed(pdfs.of_pages(MAX_PAGES + 10))
    with pikepdf.open(BytesIO(file)) as opened:
        leaf, content = opened.pages[page - 1].obj, int(opened.trailer.Size)
        number, drawn = leaf.objgen[0], leaf.unparse(resolved=True).replace(b"<<", b"<</Contents %d 0 R " % content, 1)
    square = b"<</Length 16>>\nstream\n0 0 200 200 re f\nendstream"
    after = Opened(file).updated({number: drawn, content: square})
    assert check_file(after, TRUSTED, NOW).verdict is Verdict.CHANGED

    monkeypatch.setattr(signed_ranges, "check_updates", lambda pdf, end: None)
    monkeypatch.setattr(seal_validation, "check_updates", lambda pdf, end: None)
    report = check_file(after, TRUSTED, NOW)

    assert report.verdict is Verdict.CHANGED
    assert f"Page {page} does not look as it did" in told(report, Check.PAGES)
    for name, version in RENDERERS.items():
        assert report.tools[name] == version
        assert f"{name} {version}" in told(report, Check.PAGES)
        assert f"{name} {version}" in told(report, Check.RENDERERS)


def test_a_file_of_too_many_revisions_is_not_looked_at() -> None:
    opened = Opened(sealed(pages()))
    file = opened.updated(opened.with_store(opened.size, opened.size + 1))
    for _ in range(MAX_REVISIONS):
        file = Opened(file).updated({opened.size + 1: b"<</Certs [%d 0 R]>>" % opened.size})
    report = verify_file(file, TRUSTED, NOW)
    assert report.verdict is Verdict.UNREADABLE
    assert f"more than {MAX_REVISIONS} revisions" in told(report, Check.FILE)
    assert certificate() in file


def test_the_seal_is_found_among_more_signatures_than_are_looked_at() -> None:
    stranger = Opened(sealed(pages(), Sealing(*look_alike(KEYS.authority, KEYS.pair))))
    fields = range(stranger.size, stranger.size + MAX_SIGNATURES + 10)
    definition = b"<</FT/Sig/T(Another%d)/V %d 0 R>>"
    objects = {number: definition % (number, stranger.seal) for number in fields}
    named = b" ".join(b"%d 0 R" % number for number in (stranger.seal_field, *fields))
    file = stranger.updated({**objects, stranger.form: b"<</SigFlags 3/Fields [%b]>>" % named})

    report = verify_file(sealed(file), TRUSTED, NOW)

    assert report.verdict is Verdict.GENUINE
    assert report.seal
    assert report.seal.sealed_by.startswith("Undersign Seal ")
    with pytest.raises(NotSealable, match="more than 40 signatures"):
        check_sealable(file)

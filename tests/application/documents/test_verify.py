"""A certificate's pages against its facts, and what hostile names can do in a report."""

import json
from datetime import UTC, datetime
from io import BytesIO

import pikepdf
import pytest

from adapters.sealing.sealer import PadesSealer, Verification
from application.documents.render_jobs import render_certificate
from application.documents.verify import MAX_PAGES, check_file, compare_following_pages
from domain.audit.certificate_schema import FILE_NAME, MEDIA_TYPE
from domain.audit.verification_report import MAX_LENGTH, Check, Finding, Outcome, Verdict
from domain.ports.seals import PagesCompared, SealNotValid
from domain.seal.seal import SealLevel
from domain.shared.printable import UNPRINTABLE
from layout.pdf.document_catalog import Attachment
from layout.reports.render_report import render_report
from layout.reports.report import Note, Report
from tests.application.test_certificate import attached, facts, hostile
from tests.fakes.processes import InlinePool
from tests.fakes.seals import KEYS
from tests.layout.pdf.made_differences import of_two_minds
from tests.pades.verification.sealed_files import pages, sealed

NOW = datetime.now(UTC)
CERTIFICATES = {
    "usual": facts,
    "hostile": hostile,
    "of a name in another script": lambda: facts(name="اتفاقية الخدمات"),
}


@pytest.mark.parametrize("kind", CERTIFICATES)
def test_the_pages_of_every_certificate_agree_with_its_facts(kind: str) -> None:
    told = CERTIFICATES[kind]()
    report = check_file(sealed(render_certificate(told), statement=told.statement), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.GENUINE
    assert [finding.outcome for finding in report.findings if finding.check is Check.FACTS] == [Outcome.HOLDS] * 2


def test_pages_that_say_something_else_contradict_the_facts() -> None:
    contents = attached(render_certificate(facts()))
    attachment = Attachment(FILE_NAME, MEDIA_TYPE, "The facts", contents, NOW)
    pdf = render_report(Report("Certificate", "Session", "Footer", (Note("All is well."),), (attachment,)))
    report = check_file(sealed(pdf, statement=facts().statement), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.CONTRADICTORY
    assert json.loads(contents)["session"]["sessionId"] in report.findings[-1].text


def test_pages_that_look_the_same_in_both_renderers_are_said_to() -> None:
    report = check_file(sealed(pages()), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.GENUINE
    assert [finding.outcome for finding in report.findings if finding.check is Check.RENDERERS] == [Outcome.HOLDS]
    assert {"MuPDF", "PDFium"} <= set(report.tools)


def test_a_file_that_two_renderers_show_differently_is_not_genuine() -> None:
    report = check_file(sealed(of_two_minds()), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.UNPROVEN
    assert [finding.outcome for finding in report.findings if finding.check is Check.RENDERERS] == [Outcome.FAILS]


async def test_a_file_that_two_renderers_show_differently_is_not_published() -> None:
    sealer = PadesSealer(KEYS.current, KEYS.trusted, InlinePool(), verification=Verification(check_file))
    with pytest.raises(SealNotValid, match="Page 1 looks different in MuPDF"):
        await sealer.level_of(sealed(of_two_minds()))


async def test_the_pages_that_are_too_many_for_one_job_are_compared_before_a_file_is_published() -> None:
    compared = []

    def compare(pdf: bytes, first: int) -> PagesCompared:
        compared.append(first)
        return compare_following_pages(pdf, first)

    sealer = PadesSealer(KEYS.current, KEYS.trusted, InlinePool(), verification=Verification(check_file, compare))
    long = joined(pages(), MAX_PAGES + 2)
    assert await sealer.level_of(sealed(long)) is SealLevel.B_B
    assert compared == [MAX_PAGES + 1]

    with pytest.raises(SealNotValid, match=f"Page {MAX_PAGES + 2} of the sealed PDF"):
        await sealer.level_of(sealed(joined(pages(), MAX_PAGES + 1, of_two_minds())))


def joined(page: bytes, count: int, last: bytes | None = None) -> bytes:
    """A PDF with `count` times the first page of `page`, and then that of `last`."""
    with pikepdf.new() as whole, pikepdf.open(BytesIO(page)) as one:
        for _ in range(count):
            whole.pages.append(one.pages[0])
        if last is not None:
            with pikepdf.open(BytesIO(last)) as other:
                whole.pages.append(other.pages[0])
                written = BytesIO()
                whole.save(written)
                return written.getvalue()
        written = BytesIO()
        whole.save(written)
        return written.getvalue()


def test_names_in_findings_move_no_cursor_and_turn_no_text_around() -> None:
    text = Finding(check=Check.AUTHORITY, outcome=Outcome.OPEN, text="“\x1b[2J\u202eevil\n”").text
    assert text == f"“{UNPRINTABLE}[2J{UNPRINTABLE}evil{UNPRINTABLE}”"


def test_findings_end() -> None:
    assert len(Finding(check=Check.AUTHORITY, outcome=Outcome.OPEN, text="x" * 100_000).text) == MAX_LENGTH + 1

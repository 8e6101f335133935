"""A certificate's pages against its facts, and what hostile names can do in a report."""

import json
from datetime import UTC, datetime

import pytest

from adapters.sealing.sealer import PadesSealer
from application.documents.render_jobs import render_certificate
from application.documents.verify import check_file
from domain.audit.certificate_schema import FILE_NAME, MEDIA_TYPE
from domain.audit.verification_report import LONGEST, Check, Finding, Outcome, Verdict
from domain.shared.printable import UNPRINTABLE
from layout.pdf.metadata_and_attachments import Attachment
from layout.reports.render_report import render_report
from layout.reports.report import Note, Report
from ports.seals import SealNotValid
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
    sealer = PadesSealer(KEYS.current, KEYS.trusted, InlinePool(), judge=check_file)
    with pytest.raises(SealNotValid, match="Page 1 looks different in MuPDF"):
        await sealer.level_of(sealed(of_two_minds()))


def test_names_in_findings_move_no_cursor_and_turn_no_text_around() -> None:
    text = Finding(check=Check.AUTHORITY, outcome=Outcome.OPEN, text="“\x1b[2J\u202eevil\n”").text
    assert text == f"“{UNPRINTABLE}[2J{UNPRINTABLE}evil{UNPRINTABLE}”"


def test_findings_end() -> None:
    assert len(Finding(check=Check.AUTHORITY, outcome=Outcome.OPEN, text="x" * 100_000).text) == LONGEST + 1

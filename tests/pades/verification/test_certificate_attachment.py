"""Certificates of completion: their history, what they say of people, and the documents they name."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from application.certificate_evidence import evidence_of
from application.documents.render_jobs import render_certificate
from domain.audit.certificate_schema import FILE_NAME, MEDIA_TYPE, Evidence
from domain.audit.verification_report import Check, FileReport, Outcome, Verdict, cross_check_documents
from domain.seal.seal import CompletionCertificate, ReferenceDocument
from domain.session.materials import Materials
from layout.pdf.document_catalog import Attachment
from layout.reports.render_report import render_report
from layout.reports.report import Note, Report
from pades.verification.verify_file import verify_file
from tests.application.test_certificate import attached, facts, facts_with_roles
from tests.fakes.seals import KEYS
from tests.pades.verification.sealed_files import OURS, pages, sealed, with_revocations

NOW = datetime.now(UTC)
Members = dict[str, Any]


SESSION = facts().session
ANNEX = ReferenceDocument(
    session_id=SESSION.session_id,
    file_id=SESSION.files[0].file_id,
    materials_sha256=Materials.of(SESSION, SESSION.files[0]).sha256,
)
"""What the seal of the first document of the certificate states."""


def genuine_members() -> Members:
    """The JSON of a certificate."""
    found: Members = json.loads(attached(render_certificate(facts())))
    return found


def carrying(members: object, name: str = FILE_NAME) -> bytes:
    """A PDF with this JSON attached."""
    attachment = Attachment(name, MEDIA_TYPE, "The facts", json.dumps(members).encode(), NOW)
    return render_report(Report("Certificate", "Session", "Footer", (Note("Text"),), (attachment,)))


def certificate(members: object, name: str = FILE_NAME) -> FileReport:
    """What is said of a certificate whose JSON is this, under a seal for what the JSON says of itself."""
    told: Any = members
    statement = CompletionCertificate(
        session_id=told["session"]["sessionId"], head=told["chain"]["head"], length=told["chain"]["length"]
    )
    return verify_file(sealed(carrying(members, name), statement=statement), KEYS.trusted(), NOW)


def outcome(report: FileReport, check: Check) -> Outcome | None:
    return next((finding.outcome for finding in report.findings if finding.check is check), None)


def test_a_genuine_certificate_has_an_intact_history_that_it_agrees_with() -> None:
    report = certificate(genuine_members())
    assert report.verdict is Verdict.GENUINE
    assert (outcome(report, Check.HISTORY), outcome(report, Check.FACTS)) == (Outcome.HOLDS, Outcome.HOLDS)
    assert report.certificate
    assert report.certificate.session.name == "Consulting agreement"


def _changed(event: int, **members: object) -> Callable[[Members], None]:
    return lambda found: found["events"][event].update(members)


TAMPERINGS: dict[str, tuple[Callable[[Members], object], Check]] = {
    "an event changed": (_changed(3, ip="198.51.100.1"), Check.HISTORY),
    "an event's time changed": (_changed(5, at="2026-06-12T12:00:00.001Z"), Check.HISTORY),
    "an event taken out": (lambda found: found["events"].pop(2), Check.HISTORY),
    "the last event taken out": (lambda found: found["events"].pop(), Check.HISTORY),
    "two events swapped": (lambda found: found["events"].insert(0, found["events"].pop(1)), Check.HISTORY),
    "another head": (lambda found: found["chain"].update(head="1" * 64), Check.HISTORY),
    "another length": (lambda found: found["chain"].update(length=3), Check.HISTORY),
    "no events": (lambda found: found.update(events=[]), Check.HISTORY),
    "events that are none": (lambda found: found.update(events="none"), Check.HISTORY),
    "another time of signing": (
        lambda found: found["recipients"][0].update(signedAt="2026-06-12T12:00:00.001Z"),
        Check.FACTS,
    ),
    "another day": (lambda found: found["recipients"][0].update(dateSigned="2026-01-01"), Check.FACTS),
    "another time zone": (lambda found: found["recipients"][0].update(timeZone="Australia/Sydney"), Check.FACTS),
    "another signature": (lambda found: found["recipients"][0].update(signatureSha256="6" * 64), Check.FACTS),
    "another address": (lambda found: found["recipients"][1].update(ip="198.51.100.1"), Check.FACTS),
    "somebody who has not signed": (lambda found: found["recipients"][1].update(recipientId="another"), Check.FACTS),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_what_does_not_agree_shows_even_under_a_good_seal(tampering: str) -> None:
    tamper, check = TAMPERINGS[tampering]
    members = genuine_members()
    tamper(members)
    report = certificate(members)
    assert report.verdict is Verdict.CONTRADICTORY
    assert outcome(report, check) is Outcome.FAILS


def test_an_approval_is_the_one_in_the_history() -> None:
    genuine = json.loads(evidence_of(facts_with_roles()).to_bytes())
    assert outcome(certificate(genuine), Check.FACTS) is Outcome.HOLDS
    for number, approved_at in ((0, "2026-06-12T12:00:00.000Z"), (1, "2026-06-13T12:00:00.000Z"), (1, None)):
        changed = json.loads(json.dumps(genuine))
        changed["recipients"][number]["approvedAt"] = approved_at
        assert outcome(certificate(changed), Check.FACTS) is Outcome.FAILS
    changed = json.loads(json.dumps(genuine))
    changed["recipients"][1]["delegations"][0]["name"] = "Another"
    assert outcome(certificate(changed), Check.FACTS) is Outcome.FAILS


@pytest.mark.parametrize("members", [[], "text", None, {}, {"format": "another"}, {"format": ["a"]}])
def test_a_document_with_other_json_is_no_certificate(members: object) -> None:
    report = verify_file(sealed(carrying(members)), KEYS.trusted(), NOW)
    assert report.verdict is Verdict.GENUINE
    assert report.certificate is None


def test_a_document_is_the_one_that_the_certificate_names() -> None:
    document = sealed(pages(), statement=ANNEX)
    raised = with_revocations(document, KEYS.authority)
    other = sealed(pages(1), OURS)
    as_signed, as_raised, another, sent = (
        verify_file(file, KEYS.trusted(), NOW) for file in (document, raised, other, pages(3))
    )
    members = genuine_members()
    members["documents"][0].update(signedSha256=as_signed.sha256, sha256=sent.sha256)

    reports = cross_check_documents([certificate(members), as_signed, as_raised, another, sent])

    assert [outcome(report, Check.DOCUMENT) for report in reports] == [
        None,
        Outcome.HOLDS,
        Outcome.HOLDS,
        Outcome.FAILS,
        Outcome.FAILS,
    ]
    assert [report.verdict for report in reports[1:]] == [
        Verdict.GENUINE,
        Verdict.GENUINE,
        Verdict.CONTRADICTORY,
        Verdict.NOT_SEALED,
    ]
    assert "as it was sent to the recipients" in reports[4].findings[-1].text


def test_without_a_certificate_nothing_is_said_of_documents() -> None:
    (report,) = cross_check_documents([verify_file(sealed(pages()), KEYS.trusted(), NOW)])
    assert outcome(report, Check.DOCUMENT) is None


def test_a_copy_of_before_its_seal_was_raised_is_the_document_as_well() -> None:
    early, other = (verify_file(sealed(pages(count), statement=ANNEX), KEYS.trusted(), NOW) for count in (1, 2))
    members = genuine_members()
    members["events"][-1].update(
        type="session.sealRaised",
        details={"fileId": members["documents"][0]["fileId"], "previousSha256": early.sha256, "signedSha256": "1" * 64},
    )
    evidence = Evidence.model_validate(members)
    report = certificate(genuine_members()).model_copy(update={"certificate": evidence})

    _, of_early, of_other = cross_check_documents([report, early, other])

    assert (outcome(of_early, Check.DOCUMENT), outcome(of_other, Check.DOCUMENT)) == (Outcome.HOLDS, Outcome.FAILS)

"""What a verified file is said to be, and what certificates of completion beside it say of it."""

from datetime import UTC, datetime

import pytest

from domain.audit.certificate_schema import Evidence
from domain.audit.verification_report import (
    Check,
    FileReport,
    Finding,
    Outcome,
    SealFacts,
    Verdict,
    cross_check_documents,
)
from domain.seal.seal import ReferenceDocument, Sample, Statement
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from tests.pades.verification.test_certificate_attachment import genuine_members

EVIDENCE = Evidence.model_validate(genuine_members())
DOCUMENT = EVIDENCE.documents[0]
SIGNED = next(iter(EVIDENCE.hashes_of(DOCUMENT)))


def report(statement: Statement | None = None, *, sha256: str = "9" * 64, is_sealed: bool = True) -> FileReport:
    seal = SealFacts(
        sealed_by="A seal", issued_by="An authority", certificate_sha256="1" * 64, statement=statement, level=None,
        claimed_at=datetime(2026, 6, 12, tzinfo=UTC), proven_at=None, revision_sha256=sha256, revision_size=7,
    )  # fmt: skip
    verdict = Verdict.GENUINE if is_sealed else Verdict.NOT_SEALED
    return FileReport(sha256=sha256, size=7, verdict=verdict, findings=(), seal=seal if is_sealed else None)


def certificate() -> FileReport:
    return report().model_copy(update={"certificate": EVIDENCE})


def reference(file_id: str = DOCUMENT.file_id, materials_sha256: str = DOCUMENT.materials_sha256) -> ReferenceDocument:
    return ReferenceDocument(
        session_id=EVIDENCE.session.session_id, file_id=FileId(file_id), materials_sha256=materials_sha256
    )


def said_of(file: FileReport) -> Finding:
    """What a certificate beside it says of `file`."""
    _, matched = cross_check_documents([certificate(), file])
    (finding,) = matched.findings
    assert finding.check is Check.DOCUMENT
    return finding


@pytest.mark.parametrize("statement", [Sample(), reference()])
def test_the_summary_of_an_unsigned_file_holds_its_statement(statement: Statement) -> None:
    assert report(statement).summary.endswith(statement.text)
    assert report().summary in report(statement).summary


def test_the_members_of_a_report_hold_the_statement_of_its_seal_as_text_too() -> None:
    seal = report(reference()).to_members()["seal"]
    assert isinstance(seal, dict)
    assert seal["statement"]["text"] == reference().text
    assert report(is_sealed=False).to_members()["seal"] is None


def test_the_report_on_an_unreadable_file_has_hash_and_size() -> None:
    why = Finding(check=Check.FILE, outcome=Outcome.FAILS, text="It is no PDF.")
    file = FileReport.unreadable(b"no PDF", why)
    assert (file.sha256, file.size, file.verdict, file.findings) == (digest(b"no PDF"), 6, Verdict.UNREADABLE, (why,))
    assert cross_check_documents([certificate(), file])[1] == file


def test_a_document_that_the_certificate_names_is_found_by_its_hash() -> None:
    finding = said_of(report(sha256=SIGNED))
    assert finding.outcome is Outcome.HOLDS
    assert DOCUMENT.file_name in finding.text
    assert "for reference" not in finding.text


def test_the_finding_on_a_reference_says_that_no_recipient_signed_it() -> None:
    finding = said_of(report(reference(), sha256=SIGNED))
    assert finding.outcome is Outcome.HOLDS
    assert "no recipient signed it" in finding.text


@pytest.mark.parametrize("statement", [Sample(), reference("another"), reference(materials_sha256="0" * 64)])
def test_a_document_whose_seal_names_another_is_contradictory(statement: Statement) -> None:
    file = report(statement, sha256=SIGNED)
    assert said_of(file).outcome is Outcome.FAILS
    assert cross_check_documents([certificate(), file])[1].verdict is Verdict.CONTRADICTORY


def test_a_certificate_that_is_not_genuine_is_not_compared() -> None:
    file = report(sha256=SIGNED)
    changed = certificate().model_copy(update={"verdict": Verdict.CHANGED})
    assert cross_check_documents([changed, file]) == (changed, file)


def test_unprintable_characters_are_replaced_and_long_texts_cut() -> None:
    finding = Finding(check=Check.SEAL, outcome=Outcome.HOLDS, text="Ada\u202e\n" + "a" * 100_000)
    assert finding.text.isprintable()
    assert len(finding.text) < 10_000
    assert finding.text.endswith("…")

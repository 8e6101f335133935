"""Comparing the PDFs of one verification with the certificates of completion among them."""

from collections.abc import Sequence

from domain.audit.certificate_data import DocumentEvidence, Evidence
from domain.audit.verification import Check, FileReport, Finding, Outcome, Verdict
from domain.seal.statement import ReferenceDocument, SignedDocument


def cross_check_documents(reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """Returns the reports, checked against the certificates among them."""
    certificates = [
        report.certificate for report in reports if report.certificate is not None and report.verdict is Verdict.GENUINE
    ]
    return tuple(_matched(report, certificates) for report in reports)


def _matched(report: FileReport, certificates: Sequence[Evidence]) -> FileReport:
    if report.certificate is not None or not certificates or report.verdict is Verdict.UNREADABLE:
        return report
    for certificate in certificates:
        for document in certificate.documents:
            session = f"session “{certificate.session.name}”"
            if certificate.hashes_of(document) & report.hashes:
                return report.with_findings([_as_named(report, document, certificate)])
            if document.sha256 in report.hashes:
                text = f"It is “{document.file_name}” as it was sent to the recipients of {session}, not as signed."
                return report.with_findings([Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)])
    text = "No certificate that was checked beside it names this file: its SHA-256 is not in them."
    return report.with_findings([Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)])


def _as_named(report: FileReport, document: DocumentEvidence, certificate: Evidence) -> Finding:
    """Returns the finding on a document whose hash is in a certificate. Its seal must state the same document."""
    named = f"“{document.file_name}” that the certificate of session “{certificate.session.name}” names"
    statement = report.seal.statement if report.seal else None
    stated = None
    if isinstance(statement, SignedDocument | ReferenceDocument):
        stated = (statement.session_id, statement.file_id, statement.materials_sha256)
    if statement and stated != (certificate.session.session_id, document.file_id, document.materials_sha256):
        text = f"It has the SHA-256 of the document {named}, but its seal says that it is another."
        return Finding(check=Check.DOCUMENT, outcome=Outcome.FAILS, text=text)
    text = f"It is the document {named}."
    if isinstance(statement, ReferenceDocument):
        text += " It was sent along for reference: no recipient signed it."
    return Finding(check=Check.DOCUMENT, outcome=Outcome.HOLDS, text=text)

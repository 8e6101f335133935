"""What is found when a PDF is checked: what holds, what does not, and in plain words why.

The same report is shown by `undersign verify`, as JSON to programs, and by the page `/verify`.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import field_validator

from domain.audit.certificate_data import DocumentEvidence, Evidence
from domain.seal.level import SealLevel
from domain.seal.statement import ReferenceDocument, Sample, SignedDocument, Statement
from domain.shared.frozen_model import FrozenModel
from domain.shared.object_names import digest
from domain.shared.times import rfc3339

UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"
LONGEST = 1_000
"""Characters of a finding."""


class Verdict(StrEnum):
    """The one word about a file."""

    GENUINE = "genuine"
    """Sealed by a key that is believed, and not changed since."""

    CHANGED = "changed"
    """Sealed once; what is there now is not what was sealed."""

    UNKNOWN_AUTHORITY = "unknownAuthority"
    """Sealed and not changed since, but by a key that nobody named as one to be believed."""

    UNPROVEN = "unproven"
    """Sealed by a key that was believed once, and nothing proves that it was sealed while it was; or something was
    added, and its pages could not be compared with those that were sealed.
    """

    CONTRADICTORY = "contradictory"
    """The seal holds, but what it seals does not agree with itself or with the other files."""

    NOT_SEALED = "notSealed"
    """A PDF without any seal."""

    UNREADABLE = "unreadable"
    """No PDF, or one that is cut off or damaged: nothing can be said about it."""

    @property
    def is_intact(self) -> bool:
        """Whether it is what was sealed once, by whomever."""
        return self not in {Verdict.CHANGED, Verdict.NOT_SEALED, Verdict.UNREADABLE}


class Outcome(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"  # it cannot be said, or needs no saying for the verdict


class Check(StrEnum):
    """What was looked at."""

    FILE = "file"  # it is one PDF, whole, and nothing else
    SEAL = "seal"  # what was sealed is what is there
    CHANGES = "changes"  # nothing was added after the seal, or only evidence
    PAGES = "pages"  # where something was added, the pages look as they did when they were sealed
    AUTHORITY = "authority"  # whose key it was
    STATEMENT = "statement"  # what the seal says of the document, such as who signed it and when
    TIME = "time"  # when it was sealed
    LEVEL = "level"  # how much the seal proves
    EARLIER = "earlierSignatures"  # of those who signed the PDF before it came to the service
    HISTORY = "history"  # of a certificate: the chain of events
    FACTS = "facts"  # of a certificate: its pages against its JSON, its JSON against the history
    DOCUMENT = "document"  # the document against the certificate that was checked beside it


class Finding(FrozenModel):
    """One thing that was looked at, and what was found, as a sentence or two."""

    check: Check
    outcome: Outcome
    text: str

    @field_validator("text")
    @classmethod
    def _harmless(cls, text: str) -> str:
        """Names in it may be anybody's: nothing that moves a cursor or turns text around, and not without end."""
        shown = "".join(sign if sign.isprintable() else UNPRINTABLE for sign in text)
        return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


class SealFacts(FrozenModel):
    """A seal: whose certificate, how it is told from others, and when.

    `statement` is what a seal that is trusted says it was put on. `claimed_at` is what the seal says of its time,
    `proven_at` what a believed timestamp says. `revision_sha256` is that of the file up to the end of what the seal
    covers, `revision_size` bytes: both stay the same when the seal is raised to a higher level.
    """

    sealed_by: str
    issued_by: str
    certificate_sha256: str
    statement: Statement | None = None
    claimed_at: datetime | None
    proven_at: datetime | None
    level: SealLevel | None
    revision_sha256: str
    revision_size: int


class FileReport(FrozenModel):
    """All that was found about one file. `certificate` holds its facts if it is a certificate of completion."""

    sha256: str
    size: int
    verdict: Verdict
    findings: tuple[Finding, ...]
    seal: SealFacts | None = None
    certificate: Evidence | None = None

    @staticmethod
    def unreadable(file: bytes, why: Finding) -> "FileReport":
        """Of a file of which nothing can be said."""
        return FileReport(sha256=digest(file), size=len(file), verdict=Verdict.UNREADABLE, findings=(why,))

    @property
    def summary(self) -> str:
        """The verdict as a sentence, and what a trusted seal says if no recipient signed the file."""
        statement = self.seal.statement if self.seal else None
        if isinstance(statement, ReferenceDocument | Sample):
            return f"{_SUMMARIES[self.verdict]} {statement.text}"
        return _SUMMARIES[self.verdict]

    @property
    def hashes(self) -> frozenset[str]:
        """The hashes under which others may know this file."""
        return frozenset({self.sha256} | ({self.seal.revision_sha256} if self.seal else set()))

    def to_members(self) -> dict[str, object]:
        """The report as JSON shows it."""
        seal = self.seal
        return {
            "verdict": self.verdict.value,
            "summary": self.summary,
            "sha256": self.sha256,
            "size": self.size,
            "seal": None
            if seal is None
            else {
                "sealedBy": seal.sealed_by,
                "issuedBy": seal.issued_by,
                "certificateSha256": seal.certificate_sha256,
                "statement": seal.statement and _stated(seal.statement),
                "claimedAt": seal.claimed_at and rfc3339(seal.claimed_at),
                "provenAt": seal.proven_at and rfc3339(seal.proven_at),
                "level": seal.level and seal.level.value,
                "revisionSha256": seal.revision_sha256,
                "revisionSize": seal.revision_size,
            },
            "findings": [
                {"check": one.check.value, "outcome": one.outcome.value, "text": one.text} for one in self.findings
            ],
            "certificate": self.certificate and self.certificate.model_dump(mode="json", by_alias=True),
        }

    def as_changed(self, finding: Finding) -> "FileReport":
        """The report of a file that turns out to be changed: what it holds is not worth repeating."""
        findings = (*self.findings, finding)
        return self.model_copy(update={"findings": findings, "verdict": Verdict.CHANGED, "certificate": None})

    def as_unproven(self, finding: Finding) -> "FileReport":
        """The report of a file of which something cannot be known that makes it genuine."""
        verdict = Verdict.UNPROVEN if self.verdict is Verdict.GENUINE else self.verdict
        return self.model_copy(update={"findings": (*self.findings, finding), "verdict": verdict})

    def with_findings(self, findings: Sequence[Finding]) -> "FileReport":
        """The report with more findings; one that fails makes a genuine file contradictory."""
        fails = any(finding.outcome is Outcome.FAILS for finding in findings)
        verdict = Verdict.CONTRADICTORY if fails and self.verdict is Verdict.GENUINE else self.verdict
        return self.model_copy(update={"findings": (*self.findings, *findings), "verdict": verdict})


def _stated(statement: Statement) -> dict[str, object]:
    return {**statement.model_dump(mode="json", by_alias=True), "text": statement.text}


_SUMMARIES = {
    Verdict.GENUINE: "Genuine: it was sealed with a key that is trusted here, and has not been changed since.",
    Verdict.CHANGED: "Changed: it was sealed once, but this is not what was sealed.",
    Verdict.UNKNOWN_AUTHORITY: "Sealed by somebody unknown: it has not been changed since, but the certificate of the "
    "seal is not trusted here.",
    Verdict.UNPROVEN: "Not proven: no change of what was sealed was found, but not all that makes it genuine could be "
    "proven.",
    Verdict.CONTRADICTORY: "Contradictory: the seal holds, but not all that it seals agrees.",
    Verdict.NOT_SEALED: "Not sealed: nothing says where this PDF comes from, or whether it was changed.",
    Verdict.UNREADABLE: "Not readable: this is no PDF, it is cut off or damaged, or checking it takes too much.",
}


def cross_check_documents(reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """The reports, with what the certificates among them say about the other files."""
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
    """A document whose hash is in a certificate; what its own seal says must not be something else."""
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

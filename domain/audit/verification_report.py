"""The report on a verified PDF: verdict, findings and facts of the seal.

`pades.verification.verify_file` decides the verdict. `undersign verify`, the JSON API and the page `/verify` show the
same report.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import (
    ConfigDict,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    field_serializer,
    field_validator,
)
from pydantic.alias_generators import to_camel

from domain.audit.certificate_schema import DocumentEvidence, Evidence
from domain.seal.seal import ReferenceDocument, Sample, SealLevel, SignedDocument, Statement
from domain.shared.frozen_model import FrozenModel
from domain.shared.object_names import digest
from domain.shared.printable import printable
from domain.shared.times import rfc3339

Time = Annotated[datetime, PlainSerializer(rfc3339, when_used="json")]

MAX_LENGTH = 1_000
"""Maximum characters of a finding."""


class Verdict(StrEnum):
    """The verdict on a file."""

    GENUINE = "genuine"
    """Sealed with a trusted key, and not changed since."""

    CHANGED = "changed"
    """Sealed, but changed since."""

    UNKNOWN_AUTHORITY = "unknownAuthority"
    """Sealed and not changed since, but the certificate of the seal is not trusted."""

    UNPROVEN = "unproven"
    """Sealed with a key that was trusted, but nothing proves that it was trusted at that time. Or bytes were added, and
    the pages could not be compared with the sealed ones. Or two renderers show a page differently."""

    CONTRADICTORY = "contradictory"
    """The seal is valid, but its content contradicts itself or the other files."""

    NOT_SEALED = "notSealed"
    """A PDF without a seal."""

    UNREADABLE = "unreadable"
    """Not a PDF, or a truncated or damaged one."""

    @property
    def is_intact(self) -> bool:
        """Whether the sealed content is unchanged, regardless of the key."""
        return self not in {Verdict.CHANGED, Verdict.NOT_SEALED, Verdict.UNREADABLE}


class Outcome(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"  # unknown, or without effect on the verdict


class Check(StrEnum):
    """The subject of a finding."""

    FILE = "file"  # it is exactly one complete PDF
    SEAL = "seal"  # the covered bytes are the signed ones
    CHANGES = "changes"  # nothing but validation data was added after the seal
    PAGES = "pages"  # if something was added, the pages look as they did when they were sealed
    RENDERERS = "renderers"  # two renderers that share no code show every page alike
    AUTHORITY = "authority"  # whether the key is trusted
    STATEMENT = "statement"  # the statement of the seal, such as the signers and their times
    TIME = "time"  # the time of sealing
    LEVEL = "level"  # the PAdES level of the seal
    EARLIER = "earlierSignatures"  # signatures of the PDF from before its upload
    HISTORY = "history"  # of a certificate: the chain of events
    FACTS = "facts"  # of a certificate: whether its pages match its JSON, and its JSON the history
    DOCUMENT = "document"  # whether the document matches a certificate that was verified with it


class Finding(FrozenModel):
    """One check and its outcome, in one or two sentences."""

    check: Check
    outcome: Outcome
    text: str

    @field_validator("text")
    @classmethod
    def _harmless(cls, text: str) -> str:
        """Replaces unprintable characters and limits the length, because the text contains untrusted names."""
        shown = printable(text)
        return shown if len(shown) <= MAX_LENGTH else f"{shown[:MAX_LENGTH]}…"


class SealFacts(FrozenModel):
    """A seal: its certificate, statement, times and level.

    `statement` is set for a trusted seal. `claimed_at` is the time in the seal, `proven_at` that of a trusted
    timestamp. `revision_sha256` and `revision_size` (bytes) are of the file up to the end of the sealed range.
    Augmenting the seal changes neither.
    """

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)

    sealed_by: str
    issued_by: str
    certificate_sha256: str
    statement: Statement | None = None
    claimed_at: Time | None
    proven_at: Time | None
    level: SealLevel | None
    revision_sha256: str
    revision_size: int

    @field_serializer("statement", mode="wrap")
    def _with_text(self, statement: Statement | None, serialize: SerializerFunctionWrapHandler) -> object:
        return statement and {**serialize(statement), "text": statement.text}


class FileReport(FrozenModel):
    """The report on one file. `certificate` is set for a certificate of completion.

    `tools` are the programs that the findings come from, with their versions. `following_page` is the first page that
    was not compared in both renderers, if any.
    """

    sha256: str
    size: int
    verdict: Verdict
    findings: tuple[Finding, ...]
    seal: SealFacts | None = None
    certificate: Evidence | None = None
    tools: Mapping[str, str] = Field(default_factory=dict)
    following_page: int | None = None

    @staticmethod
    def unreadable(file: bytes, why: Finding) -> "FileReport":
        """Returns the report on an unreadable file."""
        return FileReport(sha256=digest(file), size=len(file), verdict=Verdict.UNREADABLE, findings=(why,))

    @property
    def summary(self) -> str:
        """The verdict as a sentence, with the statement of a trusted seal that no recipient signed."""
        statement = self.seal.statement if self.seal else None
        if isinstance(statement, ReferenceDocument | Sample):
            return f"{_SUMMARIES[self.verdict]} {statement.text}"
        return _SUMMARIES[self.verdict]

    @property
    def hashes(self) -> frozenset[str]:
        """The SHA-256 hashes by which certificates may name this file."""
        return frozenset({self.sha256} | ({self.seal.revision_sha256} if self.seal else set()))

    def to_members(self) -> dict[str, object]:
        """Returns the report as JSON."""
        return {
            "verdict": self.verdict.value,
            "summary": self.summary,
            "sha256": self.sha256,
            "size": self.size,
            "seal": self.seal and self.seal.model_dump(mode="json", by_alias=True),
            "findings": [finding.model_dump(mode="json") for finding in self.findings],
            "certificate": self.certificate and self.certificate.model_dump(mode="json", by_alias=True),
            "tools": dict(self.tools),
        }

    def with_tools(self, tools: Mapping[str, str]) -> "FileReport":
        """Returns the report with more programs that findings come from, by name, with their versions."""
        return self.model_copy(update={"tools": {**self.tools, **tools}})

    def as_changed(self, finding: Finding) -> "FileReport":
        """Returns the report with the verdict `changed` and without the facts of the certificate."""
        findings = (*self.findings, finding)
        return self.model_copy(update={"findings": findings, "verdict": Verdict.CHANGED, "certificate": None})

    def as_unproven(self, finding: Finding) -> "FileReport":
        """Returns the report with the verdict `unproven` in place of `genuine`."""
        verdict = Verdict.UNPROVEN if self.verdict is Verdict.GENUINE else self.verdict
        return self.model_copy(update={"findings": (*self.findings, finding), "verdict": verdict})

    def with_findings(self, findings: Sequence[Finding]) -> "FileReport":
        """Returns the report with more findings. A failed one makes a genuine file contradictory."""
        fails = any(finding.outcome is Outcome.FAILS for finding in findings)
        verdict = Verdict.CONTRADICTORY if fails and self.verdict is Verdict.GENUINE else self.verdict
        return self.model_copy(update={"findings": (*self.findings, *findings), "verdict": verdict})


_SUMMARIES = {
    Verdict.GENUINE: "Genuine: it was sealed with a key that is trusted here, and has not been changed since.",
    Verdict.CHANGED: "Changed: it was changed after it was sealed.",
    Verdict.UNKNOWN_AUTHORITY: "Sealed by an unknown authority: it has not been changed since, but the certificate "
    "of the seal is not trusted here.",
    Verdict.UNPROVEN: "Not proven: no change of what was sealed was found, but not all that makes it genuine could be "
    "proven.",
    Verdict.CONTRADICTORY: "Contradictory: the seal is valid, but the sealed contents contradict each other.",
    Verdict.NOT_SEALED: "Not sealed: nothing says where this PDF comes from, or whether it was changed.",
    Verdict.UNREADABLE: "Not readable: this is no PDF, it is cut off or damaged, or checking it takes too much.",
}


def cross_check_documents(reports: Sequence[FileReport]) -> tuple[FileReport, ...]:
    """Returns the reports with findings on how each document matches the genuine certificates among the files."""
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
        text += " It was sent for reference: no recipient signed it."
    return Finding(check=Check.DOCUMENT, outcome=Outcome.HOLDS, text=text)

"""What is drawn onto the pages of a PDF: plain values, which can be pickled and load no engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from domain.session.submission import SubmittedContent
from domain.shared.ids import FileId, SessionId


@dataclass(frozen=True, slots=True)
class SignerSubmission:
    """A signer with the content of their submission. `signed_on` is the printed date."""

    name: str
    completed_at: datetime
    signed_on: date
    content: SubmittedContent


@dataclass(frozen=True, slots=True)
class StampJob:
    """One file: the PDF as sent, its zones (JSON), and the submissions by recipient key.

    `verify_url` is printed on each page.
    """

    session_id: SessionId
    file_id: FileId
    pdf: bytes
    zones: bytes
    signed: Mapping[str, SignerSubmission]
    verify_url: str

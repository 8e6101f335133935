"""What a child process is handed to stamp one file: plain values, since only those cross over."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from domain.session.fields import SubmittedContent
from domain.shared.ids import FileId, SessionId


@dataclass(frozen=True, slots=True)
class SignerSubmission:
    """Who signed and when, with the content of their submission. `signed_on` is the day that is printed."""

    name: str
    completed_at: datetime
    signed_on: date
    content: SubmittedContent


@dataclass(frozen=True, slots=True)
class StampJob:
    """One file to be stamped: the PDF as sent, its zones (JSON), and everybody who signed, by recipient key."""

    session_id: SessionId
    file_id: FileId
    pdf: bytes
    zones: bytes
    signed: Mapping[str, SignerSubmission]

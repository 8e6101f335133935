"""Sessions in responses (Specification 2.1 to 2.4, 4.6, 4.9)."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field

from domain.seal.seal import SealLevel
from domain.session.recipients import Recipient, RecipientStatus, RecipientVerification
from domain.session.reminders_and_outcome_mails import ReminderFrequency
from domain.session.session import FileType, Session, SessionFile, SessionStatus
from domain.session.waiting_for import RetryStatus, waiting_for
from domain.shared.ids import FileId, RecipientId, SessionId
from schemas.base import ResponseModel, Timestamp
from schemas.previews import WarningRead

_SEAL_LEVEL = (
    "level of the seal (PAdES baseline) that was found when the signed PDF was opened again: `B-B` signed, `B-T` with "
    "a trusted time, `B-LT` with all that checking it takes, `B-LTA` with a timestamp over that; null until it is "
    "generated. It may be raised later, which changes `signedSha256`"
)


class FileRead(ResponseModel):
    """One document. `sha256` is of the PDF as sent, `signedSha256` of the signed PDF."""

    file_id: FileId
    file_name: str
    file_type: Literal["application/pdf"] = "application/pdf"
    type: Annotated[FileType, Field(description="`uploadedPdf`: sent along for reference, nobody fills anything in")]
    page_count: int
    sha256: str
    signed_sha256: str | None
    seal_level: Annotated[SealLevel | None, Field(description=_SEAL_LEVEL)]

    @classmethod
    def from_file(cls, file: SessionFile) -> Self:
        return cls(
            file_id=file.file_id,
            file_name=file.file_name,
            type=file.type,
            page_count=file.page_count,
            sha256=file.rendered.sha256,
            signed_sha256=file.signed.sha256 if file.signed else None,
            seal_level=file.seal_level,
        )


class RecipientRead(ResponseModel):
    """One recipient, without links and submitted values."""

    recipient_id: RecipientId
    key: str
    name: str
    email: str
    status: RecipientStatus
    signing_order: int
    sent_at: Timestamp | None
    viewed_at: Timestamp | None
    completed_at: Timestamp | None
    decline_reason: Annotated[str | None, Field(description="why they declined, in their own words")]

    @classmethod
    def from_recipient(cls, recipient: Recipient) -> Self:
        return cls.model_validate(dict(recipient))  # by attributes it takes five times as long


class SessionListed(ResponseModel):
    """A session in a list: all but its files."""

    session_id: SessionId
    name: str
    status: SessionStatus
    previous_status: Annotated[SessionStatus | None, Field(description="of an archived session")]
    created_at: Timestamp
    updated_at: Timestamp
    sent_at: Timestamp | None
    completed_date: Timestamp | None
    expiry_days: Annotated[int | None, Field(description="days from sending until it expires; null: never")]
    expiry_date: Annotated[Timestamp | None, Field(description="when it expires; null: never, or not sent yet")]
    reminder_enabled: bool
    reminder_frequency: ReminderFrequency
    next_reminder_at: Annotated[Timestamp | None, Field(description="null while nobody is to be reminded")]
    callback_url: Annotated[str | None, Field(description="where callbacks about the session go")]
    callback_values: Annotated[
        bool, Field(description="whether the callback `recipient.completed` holds what that recipient entered")
    ]
    external_id: Annotated[str | None, Field(description="what the client calls it; no recipient is shown it")]
    metadata: Annotated[dict[str, str], Field(description="what the client notes of it; no recipient is shown it")]
    recipient_verification: RecipientVerification
    restorable: bool
    draft_url: Annotated[
        str | None, Field(description="the page on which people of the organisation review and send it; null once sent")
    ]
    waiting_for: Annotated[str, Field(description="what the session waits for now, in one sentence")]
    recipients: tuple[RecipientRead, ...]

    @classmethod
    def from_snapshot(cls, session: Session, base_url: str, retries: Sequence[RetryStatus] = ()) -> Self:
        return cls.model_validate(_members(session, base_url, retries))


class SessionRead(SessionListed):
    """A session as it is now."""

    files: tuple[FileRead, ...]

    @classmethod
    def from_snapshot(cls, session: Session, base_url: str, retries: Sequence[RetryStatus] = ()) -> Self:
        files = tuple(FileRead.from_file(file) for file in session.files)
        return cls.model_validate({**_members(session, base_url, retries), "files": files})


def _members(session: Session, base_url: str, retries: Sequence[RetryStatus]) -> dict[str, object]:
    """Returns the members of sessions in lists."""
    return {
        "session_id": session.session_id,
        "name": session.name,
        "status": session.status,
        "previous_status": session.previous_status,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "sent_at": session.sent_at,
        "completed_date": session.completed_at,
        "expiry_days": session.expiry_days,
        "expiry_date": session.expires_at,
        "reminder_enabled": session.reminder_enabled,
        "reminder_frequency": session.reminder_frequency,
        "next_reminder_at": session.next_reminder_at,
        "callback_url": session.callback_url,
        "callback_values": session.callback_values,
        "external_id": session.external_id,
        "metadata": dict(session.metadata),
        "recipient_verification": session.recipient_verification,
        "restorable": session.status is SessionStatus.CANCELLED,
        "draft_url": _draft_url(session, base_url),
        "waiting_for": waiting_for(session, retries),
        "recipients": tuple(RecipientRead.from_recipient(recipient) for recipient in session.recipients),
    }


def _draft_url(session: Session, base_url: str) -> str | None:
    is_draft = session.status is SessionStatus.DRAFT
    return f"{base_url}/app/sessions/{session.session_id}" if is_draft else None


class SentRecipient(ResponseModel):
    """One recipient of a session that was sent."""

    recipient_id: RecipientId
    name: str
    email: str
    signing_order: int


class SentSession(ResponseModel):
    """The answer to sending."""

    session_id: SessionId
    status: SessionStatus
    sent_at: Timestamp | None
    recipients: tuple[SentRecipient, ...]

    @classmethod
    def from_snapshot(cls, session: Session) -> Self:
        return cls(
            session_id=session.session_id,
            status=session.status,
            sent_at=session.sent_at,
            recipients=tuple(SentRecipient.model_validate(r, from_attributes=True) for r in session.recipients),
        )


class DeletedSession(ResponseModel):
    """The answer to archiving and deleting. Specification 2.4."""

    session_id: SessionId
    name: str
    previous_status: SessionStatus
    status: SessionStatus | Literal["deleted"]
    permanent: bool
    restorable: bool

    @classmethod
    def archived(cls, session: Session) -> Self:
        return cls(
            session_id=session.session_id,
            name=session.name,
            previous_status=session.underlying_status,
            status=session.status,
            permanent=False,
            restorable=True,
        )

    @classmethod
    def erased(cls, session: Session) -> Self:
        return cls(
            session_id=session.session_id,
            name=session.name,
            previous_status=session.status,
            status="deleted",
            permanent=True,
            restorable=False,
        )


class SessionCreated(SessionRead):
    """The session that was made."""

    warnings: Annotated[
        tuple[WarningRead, ...],
        Field(
            description="what is unwise about its documents and kept nothing from being made, as Preview Document says "
            "it; a recipient without a signature block is one whom no document of the session asks to sign"
        ),
    ]

    @classmethod
    def of(cls, session: Session, warnings: Sequence[WarningRead], base_url: str) -> Self:
        shown = SessionRead.from_snapshot(session, base_url)
        return cls.model_validate({**dict(shown), "warnings": tuple(warnings)})


class DownloadEntry(ResponseModel):
    """One signed PDF."""

    file_id: FileId
    file_name: str
    url: Annotated[str, Field(description="downloads without a header, until its lifetime is over; do not store it")]


class DownloadsRead(ResponseModel):
    """The signed PDFs of a session."""

    session_id: SessionId
    session_status: SessionStatus
    documents: tuple[DownloadEntry, ...]
    expires_in_seconds: Annotated[int, Field(description="lifetime of the addresses", examples=[300])]

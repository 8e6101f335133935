"""Sessions in responses (Specification 2.1 to 2.4, 4.6, 4.9)."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from application.schemas.base import SHA256_EXAMPLE, FileUuid, RecipientUuid, ResponseModel, SessionUuid, Timestamp
from application.schemas.previews import WarningRead
from application.schemas.recipient_members import RecipientMembersRead
from application.schemas.session_settings import SettingsRead
from domain.seal.seal import SealLevel
from domain.session.recipients import Delivery, Recipient, RecipientStatus
from domain.session.session import FileType, Session, SessionFile
from domain.session.status import SessionStatus
from domain.session.waiting_for import RetryStatus, waiting_for
from domain.shared.frozen_model import omitted_default


class FileRead(ResponseModel):
    """One document. `sha256` is the hash of the PDF as sent, `signedSha256` that of the signed PDF."""

    file_id: FileUuid
    file_name: str = Field(description="Name of the downloaded file.", examples=["Consulting agreement.pdf"])
    file_type: Literal["application/pdf"] = "application/pdf"
    type: FileType = Field(description="`uploadedPdf`: for reference, without fields.")
    page_count: int = Field(description="Number of pages.", examples=[3])
    sha256: str = Field(description="SHA-256 of the PDF as sent, in hexadecimal.", examples=[SHA256_EXAMPLE])
    signed_sha256: str | None = Field(description="SHA-256 of the signed PDF; null before.", examples=[SHA256_EXAMPLE])
    seal_level: SealLevel | None = Field(
        description="Level of the seal (PAdES baseline), as validated in the signed PDF; null until it is generated. "
        "It may be raised later, which changes `signedSha256`."
    )

    @classmethod
    def from_file(cls, file: SessionFile) -> Self:
        signed = file.signed.sha256 if file.signed else None
        return cls.model_validate({**dict(file), "sha256": file.rendered.sha256, "signed_sha256": signed})


class RecipientHead(ResponseModel):
    """What identifies a recipient."""

    recipient_id: RecipientUuid


class RecipientRead(RecipientMembersRead, RecipientHead):
    """One recipient, without links and submitted values."""

    status: RecipientStatus = Field(description="Status of the recipient.")
    delivery: Delivery = omitted_default(
        Delivery.EMAIL, "`none`: a program opens the documents for them, and they get no emails; absent for `email`."
    )
    sent_at: Timestamp | None = Field(description="Time of the latest invitation; null before the first.")
    viewed_at: Timestamp | None = Field(description="Time at which the documents were first opened; null before that.")
    completed_at: Timestamp | None = Field(
        description="Time of signing or approving; null before that, and for a recipient who gets a copy."
    )
    decline_reason: str | None = Field(description="Reason for declining, in the recipient's words.")

    @classmethod
    def from_recipient(cls, recipient: Recipient) -> Self:
        return cls.model_validate(dict(recipient))  # validation of attributes takes five times as long


class SenderRead(ResponseModel):
    """The person who asks for signatures."""

    name: str = Field(description="Name.", examples=["Robin Finch"])
    email: str = Field(description="Address of answers.", examples=["robin@example.com"])


class SessionHead(ResponseModel):
    """What identifies a session, its status and its times."""

    session_id: SessionUuid
    name: str = Field(description="Name of the session for display.", examples=["Consulting agreement"])
    status: SessionStatus = Field(description="Status of the session.")
    previous_status: SessionStatus | None = Field(description="Status before archiving; null if it is not archived.")
    created_at: Timestamp = Field(description="Time of creation.")
    updated_at: Timestamp = Field(description="Time of the latest change.")
    sent_at: Timestamp | None = Field(description="Time of sending; null for a draft.")
    completed_date: Timestamp | None = Field(
        description="Time at which the last recipient signed or approved; null before that."
    )


class SessionListed(SettingsRead, SessionHead):
    """A session in a list, without its files."""

    expiry_date: Timestamp | None = Field(description="Time of expiry; null if there is none or it is not sent yet.")
    next_reminder_at: Timestamp | None = Field(description="Time of the next reminder; null if there is none.")
    callback_url: str | None = Field(description="URL that receives callbacks; null for none.")
    callback_values: bool = Field(description="Whether `recipient.completed` holds the values that were entered.")
    external_id: str | None = Field(description="Your identifier of the session. Recipients never see it.")
    metadata: dict[str, str] = Field(description="Your texts by keys. Recipients never see them.")
    sender: SenderRead | SkipJsonSchema[None] = omitted_default(None, "The person who asks; absent if no one is named.")
    restorable: bool = Field(description="Whether the session can be restored.")
    draft_url: str | None = Field(description="Page on which users review and send the draft; null once it is sent.")
    waiting_for: str = Field(description="What the session waits for, in one sentence.")
    recipients: tuple[RecipientRead, ...] = Field(description="The recipients.")

    @classmethod
    def from_snapshot(cls, session: Session, base_url: str, retries: Sequence[RetryStatus] = ()) -> Self:
        is_draft = session.status is SessionStatus.DRAFT
        members = {
            "completed_date": session.completed_at,
            "expiry_date": session.expires_at,
            "restorable": session.status is SessionStatus.CANCELLED,
            "draft_url": f"{base_url}/app/sessions/{session.session_id}" if is_draft else None,
            "waiting_for": waiting_for(session, retries),
            "sender": SenderRead(**dict(session.sender)) if session.sender else None,
            "recipients": tuple(RecipientRead.from_recipient(recipient) for recipient in session.recipients),
            "files": tuple(FileRead.from_file(file) for file in session.files),
        }
        return cls.model_validate({**dict(session), **members})


class SessionRead(SessionListed):
    """The current state of a session."""

    files: tuple[FileRead, ...] = Field(description="The documents, in order.")


class SessionCreated(SessionRead):
    """The session that was created."""

    warnings: tuple[WarningRead, ...] = Field(
        description="Warnings about its documents, as in Preview Document. `no-signature-block` is about a recipient "
        "whom no document of the session asks to sign."
    )

    @classmethod
    def of(cls, session: Session, warnings: Sequence[WarningRead], base_url: str) -> Self:
        shown = SessionRead.from_snapshot(session, base_url)
        return cls.model_validate({**dict(shown), "warnings": tuple(warnings)})


class DownloadEntry(ResponseModel):
    """One signed PDF."""

    file_id: FileUuid
    file_name: str = Field(description="Name of the downloaded file.", examples=["Consulting agreement.pdf"])
    url: str = Field(description="Pre-signed URL, which needs no header until it expires. Do not store it.")


class DownloadsRead(ResponseModel):
    """The signed PDFs of a session."""

    session_id: SessionUuid
    session_status: SessionStatus = Field(description="`completed` or `completedAndGenerated`.")
    documents: tuple[DownloadEntry, ...] = Field(description="One entry per file; one in all from Get Document.")
    expires_in_seconds: int = Field(description="Lifetime of the URLs in seconds.", examples=[300])

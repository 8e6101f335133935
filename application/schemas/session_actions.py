"""Bodies of actions on a session: send, invite again, archive, delete (Specification 2.4, 4.4, 4.10)."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import ConfigDict, Field

from application.schemas.base import (
    MULTI_LINE,
    ORDER_RULE,
    EmailAddress,
    Identifier,
    RecipientUuid,
    RequestModel,
    ResponseModel,
    SessionUuid,
    Timestamp,
)
from application.schemas.recipient_members import RecipientName
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import RecipientId
from domain.shared.limits import MAX_MESSAGE


class SentRecipient(ResponseModel):
    """One recipient of a session that was sent."""

    recipient_id: RecipientUuid
    name: str = Field(description="Full name.", examples=["Ada Lovelace"])
    email: str = Field(description="Email address, in lower case.", examples=["ada@example.com"])
    signing_order: int = Field(description=ORDER_RULE, examples=[1])


class SentSession(ResponseModel):
    """The response to sending a session."""

    session_id: SessionUuid
    status: SessionStatus = Field(description="Status of the session.")
    sent_at: Timestamp | None = Field(description="Time of sending.")
    recipients: tuple[SentRecipient, ...] = Field(description="The recipients.")

    @classmethod
    def from_snapshot(cls, session: Session) -> Self:
        return cls.model_validate(session, from_attributes=True)


class ReminderCreate(RequestModel):
    """The recipient to remind, by one member or both. Without members: the next recipient."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"recipientEmail": "ada@example.com"}]})

    recipient_id: Identifier | None = Field(None, description="Unique identifier of the recipient.")
    recipient_email: EmailAddress | None = Field(
        None,
        description="Email address of the recipient. Of several, the first who can sign now.",
        examples=["ada@example.com"],
    )


class InvitationCreate(ReminderCreate):
    """The recipient to invite again, as for a reminder, and the address of a mail about the end."""

    to_email: EmailAddress | None = Field(None, description="Another address, for a refused mail about the end.")


class InvitationSent(ResponseModel):
    """The response to another invitation. The mail is being sent, and the earlier link is invalid."""

    success: Literal[True] = Field(True, description="Always true.")
    session_id: SessionUuid
    recipient_id: RecipientUuid
    recipient_email: str = Field(description="Email address of the recipient.", examples=["ada@example.com"])
    sent_at: Timestamp | None = Field(description="Time of the invitation.", examples=["2026-06-12T10:30:00.000Z"])

    @classmethod
    def from_snapshot(cls, session: Session, recipient_id: RecipientId) -> Self:
        recipient = session.recipient(recipient_id)
        sent_at = recipient.invited_at[-1] if recipient.invited_at else recipient.sent_at
        members = {"recipient_id": recipient_id, "recipient_email": recipient.email, "sent_at": sent_at}
        return cls.model_validate({"session_id": session.session_id, **members})


class SessionArchive(RequestModel):
    """The reason for archiving a session."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "The fee was wrong. A new draft follows."}]})

    elsewhere: ClassVar = {"permanent": "write it in the address: ?permanent=true."}

    reason: Annotated[str, Field(max_length=MAX_MESSAGE), MULTI_LINE] | None = Field(
        None,
        description="Why the session is archived, at most 1,000 characters. Recipients of an open session read it in "
        "the email and on the page behind their link, and it is in the history.",
    )


class DeletedSession(ResponseModel):
    """The response to archiving or deleting a session."""

    session_id: SessionUuid
    name: str = Field(description="Name of the session for display.", examples=["Consulting agreement"])
    previous_status: SessionStatus = Field(description="Status before the request.")
    status: SessionStatus | Literal["deleted"] = Field(description="Status after it: `cancelled` or `deleted`.")
    permanent: bool = Field(description="Whether the session was deleted permanently.")
    restorable: bool = Field(description="Whether the session can be restored.")

    @classmethod
    def archived(cls, session: Session) -> Self:
        members = {"previous_status": session.underlying_status, "permanent": False, "restorable": True}
        return cls.model_validate({**dict(session), **members})

    @classmethod
    def erased(cls, session: Session) -> Self:
        members = {"previous_status": session.status, "status": "deleted", "permanent": True, "restorable": False}
        return cls.model_validate({**dict(session), **members})


class DelegateCreate(RequestModel):
    """The person who acts instead of the recipient, and the reason."""

    name: RecipientName
    email: EmailAddress
    reason: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE), MULTI_LINE]

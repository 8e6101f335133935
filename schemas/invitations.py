"""New invitations (Specification 4.10)."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field

from domain.session.session import Session
from domain.shared.ids import RecipientId, SessionId
from schemas.base import EmailAddress, RequestModel, ResponseModel, Timestamp


class InvitationCreate(RequestModel):
    """Whom to invite again: by one of the members, or by both if they agree; without any, whoever is next."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"recipientEmail": "ada@example.com"}]})

    recipient_id: Annotated[str, Field(max_length=100)] | None = None
    recipient_email: EmailAddress | None = None


class InvitationSent(ResponseModel):
    """The answer to a new invitation. The mail is on its way, and the earlier link does not open anything any more."""

    success: Literal[True] = True
    session_id: SessionId
    recipient_id: RecipientId
    recipient_email: str
    sent_at: Timestamp | None

    @classmethod
    def from_snapshot(cls, session: Session, recipient_id: RecipientId) -> Self:
        recipient = session.recipient(recipient_id)
        return cls(
            session_id=session.session_id,
            recipient_id=recipient_id,
            recipient_email=recipient.email,
            sent_at=recipient.sent_at,
        )

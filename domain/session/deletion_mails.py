"""Mails to the recipients of a session that is deleted while it is open for signing."""

from datetime import datetime

from domain.session.recipients import RecipientRole
from domain.session.snapshot import SessionSnapshot
from domain.session.status import OPEN_FOR_SIGNING
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import RecipientId, SessionId


class DeletionMailRecipient(FrozenModel):
    recipient_id: RecipientId
    name: str
    email: str
    role: RecipientRole = omitted_default(RecipientRole.SIGNER)
    language: str | None = omitted_default(None)


class DeletionMails(FrozenModel):
    """The data of the mails about one deletion. The tombstone holds it until the erasure has ended."""

    session_id: SessionId
    session_name: str
    organisation_name: str
    erased_at: datetime
    reply_to: str | None
    recipients: tuple[DeletionMailRecipient, ...]


def deletion_mails(session: SessionSnapshot, erased_at: datetime) -> DeletionMails | None:
    """Returns the mails to the invited recipients; None unless `session` is open for signing and not archived."""
    if session.status not in OPEN_FOR_SIGNING or not session.notified_recipients:
        return None
    return DeletionMails(
        session_id=session.session_id,
        session_name=session.name,
        organisation_name=session.organisation_name,
        erased_at=erased_at,
        reply_to=session.reply_to,
        recipients=tuple(
            DeletionMailRecipient(
                recipient_id=r.recipient_id, name=r.name, email=r.email, role=r.role, language=session.language_of(r)
            )
            for r in session.notified_recipients
        ),
    )

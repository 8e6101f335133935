"""Rows of the session list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.session.recipients import ACTIVE, Recipient, RecipientStatus
from domain.session.refused_mails import recipients_of_refused_mails
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from web.texts import APP

_SHOWN_PEOPLE = 2

_NEAR = timedelta(days=3)
"""Rows mark a deadline that is less than this away."""


@dataclass(frozen=True, slots=True)
class SessionRowView:
    """A session in the list. `signed` of `acting` recipients have finished; recipients of copies do not count.

    `people` are the names of all recipients. `shown` names those whose turn it is, of whom the first was invited at
    `invited_at`; of a session that is not open for signing, all. `alert` is the action that a user must take; `due_at`
    is the deadline of an open session.
    """

    session: Session
    people: str
    shown: str
    invited_at: datetime | None
    signed: int
    acting: int
    alert: str
    due_at: datetime | None
    is_near: bool

    @staticmethod
    def of(session: Session, now: datetime) -> "SessionRowView":
        recipients = session.recipients
        acting = [recipient for recipient in recipients if not recipient.gets_copy]
        is_open = session.status in OPEN_FOR_SIGNING
        active = [recipient for recipient in recipients if is_open and recipient.status in ACTIVE]
        due_at = session.expires_at if is_open else None
        return SessionRowView(
            session=session,
            people=", ".join(r.name or r.email for r in recipients),
            shown=APP.row_waits.format(names=_names(active)) if active else _names(recipients),
            invited_at=min((r.sent_at or now for r in active), default=None),
            signed=sum(r.status is RecipientStatus.COMPLETED for r in acting),
            acting=len(acting),
            alert=_alert(session),
            due_at=due_at,
            is_near=due_at is not None and due_at - now < _NEAR,
        )


def _names(recipients: Sequence[Recipient]) -> str:
    """Returns the first names, and the number of the others."""
    names = [recipient.name or recipient.email for recipient in recipients]
    if len(names) <= _SHOWN_PEOPLE:
        return " · ".join(names)
    return APP.names_and_more.format(names=" · ".join(names[:_SHOWN_PEOPLE]), count=len(names) - _SHOWN_PEOPLE)


def needs_you(session: Session) -> bool:
    """Returns whether the session waits until a user of the organisation acts."""
    return session.stopped_at is not None or bool(recipients_of_refused_mails(session))


def _alert(session: Session) -> str:
    if session.stopped_at is not None:
        return APP.row_stopped
    if not needs_you(session):
        return ""
    return APP.row_unreachable.format(names=", ".join(r.name or r.email for r in recipients_of_refused_mails(session)))

"""Rows of the session list."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.session.recipients import Recipient, RecipientStatus
from domain.session.session import Session
from domain.session.status import OPEN_FOR_SIGNING
from web.texts import APP

SHOWN_PEOPLE = 4

_NEAR = timedelta(days=3)
"""Rows mark a deadline that is less than this away."""


@dataclass(frozen=True, slots=True)
class Face:
    """A recipient in a row: initials and status."""

    initials: str
    status: RecipientStatus


@dataclass(frozen=True, slots=True)
class SessionRowView:
    """A session in the list. `signed` of `acting` recipients have finished; recipients of copies do not count.

    `alert` is the action that a user must take; `due_at` is the deadline of an open session.
    """

    session: Session
    faces: tuple[Face, ...]
    people: str
    signed: int
    acting: int
    alert: str
    due_at: datetime | None
    is_near: bool

    @staticmethod
    def of(session: Session, now: datetime) -> "SessionRowView":
        recipients = session.recipients
        acting = [recipient for recipient in recipients if not recipient.gets_copy]
        due_at = session.expires_at if session.status in OPEN_FOR_SIGNING else None
        return SessionRowView(
            session=session,
            faces=tuple(Face(initials_of(r.name or r.email), r.status) for r in recipients[:SHOWN_PEOPLE]),
            people=", ".join(r.name or r.email for r in recipients),
            signed=sum(r.status is RecipientStatus.COMPLETED for r in acting),
            acting=len(acting),
            alert=_alert(session),
            due_at=due_at,
            is_near=due_at is not None and due_at - now < _NEAR,
        )


def initials_of(name: str) -> str:
    """Returns the first letters of the first and the last word, in capitals."""
    words = [word for word in name.replace("@", " ").split() if word[0].isalnum()] or [name]
    ends = words if len(words) == 1 else (words[0], words[-1])
    return "".join(word[0] for word in ends).upper()


def needs_you(session: Session) -> bool:
    """Returns whether the session waits until a user of the organisation acts."""
    return session.stopped_at is not None or bool(_unreached(session))


def _unreached(session: Session) -> list[Recipient]:
    """Returns the recipients whose address the mail server rejected."""
    is_open = session.status in OPEN_FOR_SIGNING
    return [r for r in session.recipients if (is_open and r.is_unreachable) or session.refused_mail_of(r.recipient_id)]


def _alert(session: Session) -> str:
    if session.stopped_at is not None:
        return APP.row_stopped
    if not needs_you(session):
        return ""
    return APP.row_unreachable.format(names=", ".join(r.name or r.email for r in _unreached(session)))

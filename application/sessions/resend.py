"""Sends refused mails of many sessions again, for operators: after a quota, wrong DNS or a block list."""

from collections.abc import AsyncIterator, Iterable
from datetime import datetime

from application.session_actions import SessionActions
from domain.audit.events import AuditContext
from domain.ports.database import SessionRows
from domain.ports.session_requests import InviteRequest
from domain.session.list_query import SessionQuery, TimeRange
from domain.session.recipients import Recipient
from domain.session.refused_mails import recipients_of_refused_mails
from domain.session.session import Session
from domain.shared.errors import SigningError, Unavailable
from domain.shared.ids import OrganisationId

_PAGE = 200


async def find_refused(
    rows: SessionRows, organisations: Iterable[OrganisationId], since: datetime
) -> AsyncIterator[tuple[Session, Recipient]]:
    """Yields the recipients of refused mails, with their sessions, of all sessions that changed since then.

    Send their mails again after the last one only: a session that changes moves in the list.
    """
    for organisation_id in organisations:
        offset, total = 0, 1
        while offset < total:
            query = SessionQuery(updated=TimeRange(start=since), limit=_PAGE, offset=offset)
            sessions, total = await rows.list_sessions(organisation_id, query)
            for session in sessions:
                for recipient in recipients_of_refused_mails(session):
                    yield session, recipient
            offset += _PAGE


async def resend(actions: SessionActions, session: Session, recipient: Recipient, at: datetime) -> str | None:
    """Sends the refused mail again. Returns why that is not possible, or None.

    Limits of the organisation are not charged: the first attempt was. Raises `Unavailable` or `DatabaseUnavailable`.
    """
    request = InviteRequest(audit=AuditContext.of_system(at), recipient_id=recipient.recipient_id)
    try:
        await actions.act(session, request)
    except Unavailable:
        raise
    except SigningError as error:
        return str(error)
    return None

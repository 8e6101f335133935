"""Reading sessions: one row by its key, which is written before anybody is answered (`application.sessions.run`)."""

from datetime import UTC, datetime, timedelta

import structlog

from application.sessions.run import Sessions
from domain.session.recipients import Recipient
from domain.session.session import Session
from domain.session.signing_links import Link, find_by_link
from domain.session.waiting_for import RetryStatus, has_pending_effects
from domain.shared.errors import LinkNotValid, SessionNotFound
from domain.shared.ids import OrganisationId, SessionId, is_identifier
from ports.database import SessionRows

FIRST_TRY = timedelta(seconds=2)
"""How long an effect may take before anybody is told of tries that failed."""


class SessionReader:
    """Finds sessions. All methods raise `DatabaseUnavailable`."""

    def __init__(self, sessions: Sessions, rows: SessionRows, link_key: bytes) -> None:
        self._sessions = sessions
        self._rows = rows
        self._link_key = link_key

    async def get(self, organisation_id: OrganisationId, session_id: SessionId) -> Session:
        """The session of that organisation.

        Raises:
            SessionNotFound: there is none, it is another organisation's, or it was deleted for ever.
        """
        row = await self._rows.find(organisation_id, session_id) if is_identifier(session_id) else None
        if row is None:
            raise SessionNotFound
        structlog.contextvars.bind_contextvars(session_id=session_id)
        return row

    async def get_by_link(self, link: Link) -> tuple[Session, Recipient]:
        """The session that a signing link names, and the recipient whose latest link it is.

        Raises:
            LinkNotValid: there is no such session, or nobody's latest link is this one.
            Unavailable: it is the link of an invitation that is not in the database yet.
        """
        structlog.contextvars.bind_contextvars(session_id=link.session_id)
        row = await self._rows.find(link.organisation_id, link.session_id)
        if row is None:
            raise LinkNotValid
        return row, find_by_link(self._link_key, row, link.link_hash)

    async def retries(self, session: Session) -> tuple[RetryStatus, ...]:
        """What is being tried again for `session`, as far as can be learned.

        Temporal is asked only if the session has been waiting for an effect for longer than a first try takes.
        """
        is_late = session.updated_at < datetime.now(UTC) - FIRST_TRY
        return await self._sessions.retries(session) if is_late and has_pending_effects(session) else ()

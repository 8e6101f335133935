"""Reads sessions from their rows, which `session_actions` writes before an action returns."""

from datetime import UTC, datetime, timedelta

import structlog

from application.session_actions import SessionActions
from domain.ports.database import SessionRows
from domain.session.recipients import Recipient
from domain.session.session import Session
from domain.session.signing_links import Link, find_by_link
from domain.session.waiting_for import RetryStatus, has_pending_effects
from domain.shared.errors import LinkNotValid, SessionNotFound
from domain.shared.ids import OrganisationId, SessionId, is_identifier

FIRST_TRY = timedelta(seconds=2)
"""How long an effect may take before its failed attempts are reported."""


class SessionReader:
    """Finds sessions. All methods raise `DatabaseUnavailable`."""

    def __init__(self, sessions: SessionActions, rows: SessionRows, link_key: bytes) -> None:
        self._sessions = sessions
        self._rows = rows
        self._link_key = link_key

    async def get(self, organisation_id: OrganisationId, session_id: SessionId) -> Session:
        """Returns the session of that organisation. Raises `SessionNotFound`."""
        row = await self._rows.find(organisation_id, session_id) if is_identifier(session_id) else None
        if row is None:
            raise SessionNotFound
        structlog.contextvars.bind_contextvars(session_id=session_id)
        return row

    async def get_by_link(self, link: Link) -> tuple[Session, Recipient]:
        """Returns the session of a signing link, and its recipient. Raises the errors of `find_by_link`."""
        structlog.contextvars.bind_contextvars(session_id=link.session_id)
        row = await self._rows.find(link.organisation_id, link.session_id)
        if row is None:
            raise LinkNotValid
        return row, find_by_link(self._link_key, row, link.link_hash)

    async def retries(self, session: Session) -> tuple[RetryStatus, ...]:
        """Returns the effects that are being retried. Queries Temporal only if an effect is late."""
        is_late = session.updated_at < datetime.now(UTC) - FIRST_TRY
        return await self._sessions.retries(session) if is_late and has_pending_effects(session) else ()

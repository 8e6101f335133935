"""Reading sessions: the history of the run is read, the projection answers when it cannot be.

The row comes first and carries the organisation: of another organisation's session not even its existence is looked up.
"""

import structlog

from adapters.database.port import DatabaseUnavailable, SessionRows
from domain.errors import LinkNotValid, SessionNotFound, Unavailable
from domain.ids import OrganisationId, SessionId, is_identifier
from domain.links import Link
from domain.session import Session
from domain.waiting import Retry, awaits_effect
from workflows.port import Sessions


class SessionReader:
    """Finds the newest view of a session."""

    def __init__(self, sessions: Sessions, rows: SessionRows) -> None:
        self._sessions = sessions
        self._rows = rows

    async def get(self, organisation_id: OrganisationId, session_id: SessionId) -> Session:
        """The session of that organisation, as new as can be had.

        Raises:
            SessionNotFound: there is none, it is another organisation's, or it was deleted for ever.
        """
        row = await self._rows.find(organisation_id, session_id) if is_identifier(session_id) else None
        if row is None:
            raise SessionNotFound
        structlog.contextvars.bind_contextvars(session_id=session_id)
        session = await self._newest(row)
        if session.is_erased or session.organisation_id != organisation_id:
            raise SessionNotFound
        return session

    async def get_by_link(self, link: Link) -> Session:
        """The session that a signing link names. Whether the link is a recipient's latest is for the caller to check.

        Raises:
            LinkNotValid: it names nothing that can be shown.
            DatabaseUnavailable: neither the database nor Temporal answers.
        """
        structlog.contextvars.bind_contextvars(session_id=link.session_id)
        try:
            row = await self._rows.find(link.organisation_id, link.session_id)
        except DatabaseUnavailable:
            # Signing goes on without the database.
            session = await self._live(link.session_id)
            if session is None:
                raise
        else:
            session = await self._newest(row) if row else await self._live(link.session_id)
        if session is None or session.is_erased or session.organisation_id != link.organisation_id:
            raise LinkNotValid
        return session

    async def retries(self, session: Session) -> tuple[Retry, ...]:
        """What is being tried again for `session`, as far as can be learned. Asked only if it waits for an effect."""
        return await self._sessions.retries(session.session_id) if awaits_effect(session) else ()

    async def _newest(self, row: Session) -> Session:
        """What the history says of an open session. The story of a final one is in its row, and its run has ended."""
        return row if row.is_final else await self._live(row.session_id) or row

    async def _live(self, session_id: SessionId) -> Session | None:
        """What the history says; None when it is gone or Temporal does not answer."""
        try:
            return await self._sessions.snapshot(session_id)
        except (SessionNotFound, Unavailable):
            return None

"""Runs and erasures that the API left to workers: its process died after the row was written, or Temporal was away."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog

from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId
from ports.database import SessionRows, Tombstone

log = structlog.get_logger(__name__)

START_EVERY = timedelta(seconds=5)
"""How often a worker asks the database for them."""

AT_ONCE = 20


class RunStarter(Protocol):
    """Starts runs and erasures. What was started before is not started again."""

    async def start(self, session: Session) -> bool: ...

    async def start_erasure(
        self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime
    ) -> None: ...


class OverdueStarts:
    """Starts them."""

    def __init__(self, rows: SessionRows, runs: RunStarter) -> None:
        self._rows = rows
        self._runs = runs

    async def start_due(self) -> int:
        """Starts what is due now, at most `AT_ONCE` of each kind. Returns how many were started."""
        now = datetime.now(UTC)
        starts = [self._start(session) for session in await self._rows.to_start(now, AT_ONCE)]
        starts += [self._erase(tombstone) for tombstone in await self._rows.to_erase(now, AT_ONCE)]
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
        for error in filter(None, outcomes):
            log.warning("a run is started later", error=str(error) or type(error).__name__)
        return outcomes.count(None)

    async def _start(self, session: Session) -> None:
        await self._runs.start(session)
        await self._rows.mark_started(session)

    async def _erase(self, tombstone: Tombstone) -> None:
        key = (tombstone.organisation_id, tombstone.session_id)
        await self._runs.start_erasure(*key, tombstone.erased_at)
        await self._rows.mark_erasing(*key)

"""Sessions whose run is gone though they need one: it was terminated, or Temporal was lost or set back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog

from domain.shared.ids import SessionId
from ports.database import SETTLED_AFTER, SessionRows

log = structlog.get_logger(__name__)

SWEEP_EVERY = timedelta(seconds=10)
"""How often a worker looks at the next `AT_ONCE` sessions."""

AT_ONCE = 200


class RunFinder(Protocol):
    """Asks Temporal for runs. Raises `Unavailable`."""

    async def find_without_run(self, sessions: Sequence[SessionId]) -> set[SessionId]: ...


class SettableGauge(Protocol):
    """Shows a number."""

    def set(self, value: float) -> None: ...


class RunSweep:
    """Marks those sessions as stopped, and those whose run is back as going on. `stopped` shows how many there are."""

    def __init__(self, rows: SessionRows, runs: RunFinder, stopped: SettableGauge) -> None:
        self._rows = rows
        self._runs = runs
        self._stopped = stopped
        self._after = SessionId("")

    async def sweep_next(self) -> int:
        """Looks at the next sessions, and after the last at the first again. Returns 0, as the rest has time."""
        page = await self._rows.with_runs(self._after, AT_ONCE)
        now = datetime.now(UTC)
        settled = [session for session in page if session.updated_at < now - SETTLED_AFTER]
        gone = await self._runs.find_without_run([session.session_id for session in settled])
        for session in settled:
            is_gone = session.session_id in gone
            if is_gone and session.stopped_at is None:
                log.error("a session has no run; `undersign repair` starts it again", session_id=session.session_id)
            if is_gone is (session.stopped_at is None):
                await self._rows.mark_stopped(session, now if is_gone else None)
        self._stopped.set(await self._rows.count_stopped())
        self._after = page[-1].session_id if len(page) == AT_ONCE else SessionId("")
        return 0

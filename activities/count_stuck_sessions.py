"""Counts the sessions of an installation in which a step fails, by what they wait for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set

from domain.session.session import Session
from domain.session.waiting_cause import StuckCount, WaitingCause, waiting_cause
from domain.session.waiting_for import RetryStatus, has_pending_effects
from domain.shared.ids import SessionId
from domain.workflow_ids import session_workflow_id

DESCRIBED_AT_ONCE = 20
"""Runs that are described at the same time."""

MAX_FAILING = 1000
"""Runs with failing workflow tasks that are counted."""


class StuckSessions:
    """Counts in passes over all sessions, and passes the result of each whole pass to `show`."""

    def __init__(
        self,
        find_retries: Callable[[SessionId], Awaitable[tuple[RetryStatus, ...]]],
        find_failing: Callable[[int], Awaitable[list[str]]],
        show: Callable[[Mapping[WaitingCause, StuckCount]], object],
    ) -> None:
        self._find_retries, self._find_failing, self._show = find_retries, find_failing, show
        self._counts: dict[WaitingCause, StuckCount] = {}
        self._failing: frozenset[str] = frozenset()

    async def begin(self) -> None:
        """Begins a pass."""
        self._failing = frozenset(await self._find_failing(MAX_FAILING))
        self._counts = {}

    async def add(self, sessions: Sequence[Session], without_run: Set[SessionId]) -> None:
        """Counts the next sessions of the pass."""
        # More calls at once would delay the calls of workers to Temporal.
        slots = asyncio.Semaphore(DESCRIBED_AT_ONCE)

        async def count(session: Session) -> None:
            async with slots:
                retries = await self._find_retries(session.session_id) if has_pending_effects(session) else ()
            has_failing_run = session.session_id in without_run
            has_failing_run |= session_workflow_id(session.session_id) in self._failing
            cause, is_stuck = waiting_cause(session, retries, has_failing_run=has_failing_run)
            if is_stuck:
                counted = self._counts.get(cause, StuckCount())
                is_retried = has_failing_run or bool(retries)
                self._counts[cause] = counted.add(session.updated_at, is_retried=is_retried)

        await asyncio.gather(*map(count, sessions))

    def end(self) -> None:
        """Ends the pass."""
        self._show(self._counts)

"""Compares the database with Temporal after one of them was restored or lost, and repairs the differences.

Each session has a row with its events in the database, and a run with a history in Temporal. Each of them holds the
whole session, so rows are written from histories, and runs are started from rows.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, Protocol, Self

from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, AdministrativeActs, Change
from domain.ports.database import SETTLED_AFTER, SessionRows
from domain.ports.session_requests import ActionResult
from domain.ports.temporal import HistoryUnreadable, NotRunning, RunState
from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId

PAGE = 200

LOOK_AGAIN = 3.0
"""Seconds after which rows that are behind their runs are read again, in case the runs are writing them."""


_UNREADABLE = (
    "Set UNDERSIGN_PAYLOAD_KEYS to the keys of this installation. If they are right, a process with others wrote the "
    "history: delete it (temporal workflow delete --workflow-id), and repair again."
)
_NO_ROW = "The database has no row of it."
_OLDER_ROW = "The database does not have the emails that its run has delivered since."
_REPLACED = "The run is terminated, and another one is started from the row."


class RunHistories(Protocol):
    """The runs in Temporal. All methods raise `Unavailable`."""

    def list_sessions(self) -> AsyncIterator[SessionId]: ...

    async def state(self, session_id: SessionId) -> RunState: ...

    async def read_session(self, session_id: SessionId) -> Session: ...

    async def read_whole_session(self, session_id: SessionId) -> ActionResult: ...

    async def start_again(self, session: Session) -> bool: ...

    async def stop(self, session_id: SessionId, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A difference between the database and Temporal for one session. `has_no_run`: Temporal knows nothing of it.

    `remedy` describes the effect of `mend`, or without it, what an operator can do. `lost` is the unrecoverable data.
    """

    session_id: SessionId
    problem: str
    remedy: str
    lost: str | None = None
    mend: Callable[[], Awaitable[object]] | None = None
    has_no_run: bool = False


def _unreadable(session_id: SessionId, error: HistoryUnreadable) -> Disagreement:
    return Disagreement(session_id, f"Its history cannot be read: {error}.", _UNREADABLE)


class _RunSession(NamedTuple):
    """A session with the number of events that its run has, and its revision, which counts delivered emails too."""

    organisation_id: OrganisationId
    session_id: SessionId
    sequence: int
    revision: int

    @classmethod
    def of(cls, session: Session) -> Self:
        return cls(session.organisation_id, session.session_id, session.sequence, session.revision)


class Comparison:
    """Finds differences, and changes nothing. Methods raise `Unavailable` or `DatabaseUnavailable`.

    `compared` counts the sessions whose runs were looked for so far.
    """

    def __init__(
        self, runs: RunHistories, rows: SessionRows, acts: AdministrativeActs, look_again: float = LOOK_AGAIN
    ) -> None:
        self._runs = runs
        self._rows = rows
        self._acts = acts
        self._look_again = look_again
        self.compared = 0

    async def find(self) -> AsyncIterator[Disagreement]:
        """Yields all differences: first rows that are missing or behind, then runs."""
        async for disagreement in self.compare_rows():
            yield disagreement
        after = SessionId("")
        while True:
            page, after = await self._rows.with_runs(after, PAGE)
            for session in page:
                if found := await self.compare_run(session):
                    yield found
            if not after:
                return

    async def compare_rows(self, limit: int | None = None) -> AsyncIterator[Disagreement]:
        """Yields the rows that are missing or behind, of all runs or the `limit` newest."""
        differing, count = [], 0
        async for session_id in self._runs.list_sessions():
            with suppress(NotRunning):  # erased meanwhile
                try:
                    session = await self._runs.read_session(session_id)
                except HistoryUnreadable as error:
                    yield _unreadable(session_id, error)
                else:
                    run = _RunSession.of(session)
                    if await self._differs(run):
                        differing.append(run)
            count += 1
            if count == limit:
                break
        if differing:
            await asyncio.sleep(self._look_again)
        for run in differing:
            if await self._differs(run):
                try:
                    yield await self._compare_row(run)
                except HistoryUnreadable as error:
                    yield _unreadable(run.session_id, error)

    async def _compare_row(self, run: _RunSession) -> Disagreement:
        organisation_id, session_id, sequence, _ = run
        row = await self._rows.find(organisation_id, session_id)
        if row is None and await self._rows.is_erased(organisation_id, session_id):
            problem = "It was deleted permanently, and Temporal has a history of it."
            mend = partial(self._erase_again, run)
            return Disagreement(session_id, problem, "A worker erases it again.", mend=mend)
        if row is not None and row.sequence > sequence:
            stop = partial(self._runs.stop, session_id, "undersign repair: the session is over")
            problem = f"It is over with {row.sequence} events; its run is still running, with {sequence} events."
            return Disagreement(session_id, problem, "The run is terminated; the row stays as it is.", mend=stop)
        history = await self._runs.read_whole_session(session_id)
        if row is not None and any(e.sequence == row.sequence and e.hash != row.head for e in history.events):
            return await self._of_two_histories(row)
        count = history.session.sequence
        known = {e.sequence for e in (*history.events, *await self._rows.events(organisation_id, session_id))}
        missing = sorted(set(range(1, count + 1)) - known)
        problem = f"The database has {row.sequence} of its events, the run has {count}." if row else _NO_ROW
        if row is not None and row.sequence == count:
            problem = _OLDER_ROW
        return Disagreement(
            session_id,
            problem,
            "The row and the events are written from the history in Temporal.",
            f"{len(missing)} events that are in no store, which is recorded." if missing else None,
            partial(self._write_row, history, missing),
        )

    async def _write_row(self, history: ActionResult, missing: Sequence[int]) -> None:
        """Writes the row. Records the lost events before, so that a repair that is interrupted records them too."""
        session = history.session
        if missing:
            change = Change(ActKind.SESSION_REPAIRED, session.session_id, after={"lostEvents": [*missing]})
            await self._acts.add(session.organisation_id, AuditContext.of_system(datetime.now(UTC)), change)
        await self._rows.record(session, history.events, history.callbacks)

    async def _differs(self, run: _RunSession) -> bool:
        """Returns whether the row is missing or behind, or has ended while a run that is behind still runs."""
        row = await self._rows.find(run.organisation_id, run.session_id)
        if row is None or (row.sequence, row.revision) < (run.sequence, run.revision):
            return True
        is_over = row.sequence > run.sequence and not row.needs_run
        return is_over and await self._runs.state(run.session_id) is RunState.RUNNING

    async def _erase_again(self, run: _RunSession) -> None:
        await self._rows.restart_erasure(run.organisation_id, run.session_id, datetime.now(UTC))

    async def compare_run(self, session: Session) -> Disagreement | None:
        """Returns the difference between a session that needs a run and its run, if there is one."""
        if session.updated_at > datetime.now(UTC) - SETTLED_AFTER:
            return None
        self.compared += 1
        start = partial(self._start_again, session)
        remedy = "Its run is started again from the row."
        match await self._runs.state(session.session_id):
            case RunState.STOPPED:
                return Disagreement(session.session_id, "Its run was stopped in Temporal.", remedy, mend=start)
            case RunState.MISSING:
                return Disagreement(
                    session.session_id, "Temporal has no run of it.", remedy, mend=start, has_no_run=True
                )
            case RunState.ENDED:
                return None  # the row is behind, which was found above, or the history is no longer kept
        return await self._compare_histories(session)

    async def _compare_histories(self, session: Session) -> Disagreement | None:
        try:
            run = await self._runs.read_session(session.session_id)
        except HistoryUnreadable:
            return None  # which was found above
        if run.sequence > session.sequence or run.head == session.head:
            return None
        if run.sequence == session.sequence:
            return await self._of_two_histories(session)
        known = f"{run.sequence} of its {session.sequence} events"
        problem = f"Its run knows {known}: Temporal is older than the database."
        return Disagreement(session.session_id, problem, _REPLACED, mend=partial(self._replace_run, session))

    async def _of_two_histories(self, session: Session) -> Disagreement:
        """Returns the difference of a run that continued after Temporal was restored. The row takes precedence."""
        problem = f"Its run has another event {session.sequence} than the database."
        if await self._runs.state(session.session_id) is RunState.ENDED:
            return Disagreement(session.session_id, problem, "The row stays as it is; the run has ended.")
        lost = "what was done in the run after Temporal was restored; the database has none of it."
        return Disagreement(session.session_id, problem, _REPLACED, lost, partial(self._replace_run, session))

    async def _replace_run(self, session: Session) -> None:
        await self._runs.stop(session.session_id, "undersign repair: it is older than the database")
        await self._start_again(session)

    async def _start_again(self, session: Session) -> None:
        await self._runs.start_again(session)
        await self._rows.mark_stopped(session, None)

"""Comparing the database with Temporal after one of them was restored or lost, and mending what disagrees.

Each session has a row with its events in the database, and a run with a history in Temporal. Either holds the whole
session, so what one has lost the other gives back: rows are written from histories, and runs are started from rows.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple, Protocol

from domain.session.session import Session
from domain.shared.ids import OrganisationId, SessionId
from ports.database import SETTLED_AFTER, SessionRows
from ports.session_requests import ActionResult
from ports.temporal import NotRunning, RunState

PAGE = 200
"""Sessions that are read from the database together."""

LOOK_AGAIN = 3.0
"""Seconds after which rows that are behind their runs are read again: by then the runs have written them."""


class RunHistories(Protocol):
    """What the comparison needs of Temporal. Every method raises `Unavailable`."""

    def list_sessions(self) -> AsyncIterator[SessionId]: ...

    async def state(self, session_id: SessionId) -> RunState: ...

    async def read_session(self, session_id: SessionId) -> Session: ...

    async def read_whole_session(self, session_id: SessionId) -> ActionResult: ...

    async def start_again(self, session: Session) -> bool: ...

    async def stop(self, session_id: SessionId, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One session that the database and Temporal do not agree on.

    `remedy` says what `mend` does; without `mend` it says what an operator can do. `lost` is what cannot be had again.
    """

    session_id: SessionId
    problem: str
    remedy: str
    lost: str | None = None
    mend: Callable[[], Awaitable[object]] | None = None


class _Held(NamedTuple):
    """A session of which the run knows so many events (`sequence`)."""

    organisation_id: OrganisationId
    session_id: SessionId
    sequence: int


class Comparison:
    """Finds disagreements; changes nothing."""

    def __init__(self, runs: RunHistories, rows: SessionRows, look_again: float = LOOK_AGAIN) -> None:
        self._runs = runs
        self._rows = rows
        self._look_again = look_again

    async def find(self) -> AsyncIterator[Disagreement]:
        """Every disagreement: first rows that are missing or behind, then runs.

        Raises:
            Unavailable: Temporal does not answer.
            DatabaseUnavailable: the database does not answer.
        """
        async for found in self.compare_rows():
            yield found
        after = SessionId("")
        while page := await self._rows.with_runs(after, PAGE):
            for session in page:
                if other := await self.compare_run(session):
                    yield other
            after = page[-1].session_id

    async def compare_rows(self, limit: int | None = None) -> AsyncIterator[Disagreement]:
        """Rows that are missing or behind, of the runs that Temporal lists; of the `limit` newest, if given.

        Raises as `find`.
        """
        differing, count = [], 0
        async for session_id in self._runs.list_sessions():
            if one := await self._differing(session_id):
                differing.append(one)
            count += 1
            if count == limit:
                break
        if differing:
            await asyncio.sleep(self._look_again)
        for one in differing:
            if await self._differs(one):
                yield await self._of_row(one)

    async def _differing(self, session_id: SessionId) -> _Held | None:
        try:
            held = await self._runs.read_session(session_id)
        except NotRunning:  # erased meanwhile
            return None
        one = _Held(held.organisation_id, session_id, held.sequence)
        return one if await self._differs(one) else None

    async def _of_row(self, held: _Held) -> Disagreement:
        session_id = held.session_id
        has = await self._rows.find(held.organisation_id, session_id)
        if has is None and await self._rows.is_erased(held.organisation_id, session_id):
            return Disagreement(
                session_id,
                "It was deleted permanently, and Temporal has a history of it.",
                "A worker erases it again.",
                mend=partial(self._erase_again, held),
            )
        if has is not None and has.sequence > held.sequence:
            stop = partial(self._runs.stop, session_id, "undersign repair: the session is over")
            problem = f"It is over with {has.sequence} events; its run is at work and knows {held.sequence}."
            return Disagreement(session_id, problem, "The run is terminated; the row stays as it is.", mend=stop)
        whole = await self._runs.read_whole_session(session_id)
        if has is not None and any(e.sequence == has.sequence and e.hash != has.head for e in whole.events):
            return await self._of_two_histories(has)
        known = {event.sequence for event in whole.events}
        known |= {e.sequence for e in await self._rows.events(whole.session.organisation_id, session_id)}
        missing = whole.session.sequence - len(known & set(range(1, whole.session.sequence + 1)))
        return Disagreement(
            session_id,
            "The database has no row of it."
            if has is None
            else f"The database knows {has.sequence} of its events, the run {whole.session.sequence}.",
            "The row and the events are written from the history in Temporal.",
            f"{missing} events that are in no store; the chain of the others stays broken there." if missing else None,
            partial(self._rows.record, whole.session, whole.events, whole.callbacks),
        )

    async def _differs(self, held: _Held) -> bool:
        """Whether the row is missing, behind, or needs no run while one is at work that is behind."""
        row = await self._rows.find(held.organisation_id, held.session_id)
        if row is None or row.sequence < held.sequence:
            return True
        is_over = row.sequence > held.sequence and not row.needs_run
        return is_over and await self._runs.state(held.session_id) is RunState.RUNNING

    async def _erase_again(self, held: _Held) -> None:
        await self._rows.restart_erasure(held.organisation_id, held.session_id, datetime.now(UTC))

    async def compare_run(self, session: Session) -> Disagreement | None:
        """What disagrees about a session of the database that needs a run. Raises as `find`."""
        if session.updated_at > datetime.now(UTC) - SETTLED_AFTER:
            return None
        start = partial(self._start_again, session)
        remedy = "Its run is started again from the row."
        match await self._runs.state(session.session_id):
            case RunState.STOPPED:
                return Disagreement(session.session_id, "Its run was stopped in Temporal.", remedy, mend=start)
            case RunState.MISSING:
                return Disagreement(session.session_id, "Temporal has no run of it.", remedy, mend=start)
            case RunState.ENDED:
                return None  # the row is behind, which was found above, or the history is no longer kept
        return await self._compare_histories(session)

    async def _compare_histories(self, session: Session) -> Disagreement | None:
        held = await self._runs.read_session(session.session_id)
        if held.sequence > session.sequence or held.head == session.head:
            return None
        if held.sequence == session.sequence:
            return await self._of_two_histories(session)
        return Disagreement(
            session.session_id,
            f"Its run knows {held.sequence} of its {session.sequence} events: Temporal is older than the database.",
            "The run is terminated, and another one is started from the row.",
            mend=partial(self._replace_run, session),
        )

    async def _of_two_histories(self, session: Session) -> Disagreement:
        """The run went on after it was set back, and the database takes none of its events: the row was there first."""
        problem = f"Its run has another event {session.sequence} than the database."
        if await self._runs.state(session.session_id) is RunState.ENDED:
            return Disagreement(session.session_id, problem, "The row stays as it is; the run has ended.")
        remedy = "The run is terminated, and another one is started from the row."
        lost = "what was done in the run after Temporal was restored; the database has none of it."
        return Disagreement(session.session_id, problem, remedy, lost, partial(self._replace_run, session))

    async def _replace_run(self, session: Session) -> None:
        await self._runs.stop(session.session_id, "undersign repair: it is older than the database")
        await self._start_again(session)

    async def _start_again(self, session: Session) -> None:
        await self._runs.start_again(session)
        await self._rows.mark_stopped(session, None)

"""Overdue starts: a failing or unreadable one stops none of the others."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from structlog.testing import capture_logs

from activities.maintenance import STARTS_AT_ONCE, OverdueStarts, RunSweep
from adapters.database.repositories.batches import DatabaseBatches
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.session.session import Session
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from tests.builders import created, recipient
from tests.databases import MemoryDatabase
from tests.fakes.batches import FakeBatchRuns
from tests.fakes.stuck_sessions import count_stuck

PAST = datetime(2026, 6, 1, tzinfo=UTC)


class FewRuns:
    """Runs, of which sessions named "bad" cannot be started."""

    def __init__(self) -> None:
        self.started: list[str] = []

    async def start(self, session: Session) -> None:
        if session.name == "bad":
            raise Unavailable
        self.started.append(session.name)

    async def start_erasure(self, *_: Any) -> None:
        self.started.append("erasure")


def overdue(rows: DatabaseSessionRows, database: MemoryDatabase, runs: FewRuns, failures: list[None]) -> OverdueStarts:
    batches: Any = DatabaseBatches(database.engine)
    batch_runs: Any = FakeBatchRuns(batches, lambda: None)  # type: ignore[arg-type,return-value]  # starts none here
    subject: Any = runs
    return OverdueStarts(rows, subject, batches, batch_runs, lambda: failures.append(None))


async def add(rows: DatabaseSessionRows, name: str, minutes: int) -> Session:
    session = created(recipient("ada"), name=name).session
    session = session.model_copy(update={"session_id": SessionId(f"{minutes:08}-0000-4000-8000-000000000000")})
    assert await rows.change(None, session, (), start_at=PAST + timedelta(minutes=minutes))
    return session


async def test_failing_starts_and_unreadable_rows_stop_nothing_behind_them() -> None:
    database, failures = MemoryDatabase(), list[None]()
    rows, runs = DatabaseSessionRows(database.engine), FewRuns()
    for number in range(STARTS_AT_ONCE):
        await add(rows, "bad", number)
    broken = await add(rows, "broken", STARTS_AT_ONCE)
    await add(rows, "good", STARTS_AT_ONCE + 1)
    gone = await add(rows, "gone", STARTS_AT_ONCE + 2)
    await rows.erase(gone.organisation_id, gone.session_id, PAST, erase_at=PAST)
    async with database.engine.begin() as connection:
        change = "UPDATE sessions SET snapshot = '{}' WHERE session_id = :session"
        await connection.execute(text(change), {"session": broken.session_id})
    subject = overdue(rows, database, runs, failures)

    with capture_logs() as logged:
        counts = [await subject.start_due() for _ in range(3)]

    assert (counts, sorted(runs.started)) == ([1, 1, 0], ["erasure", "good"])
    assert len(failures) == STARTS_AT_ONCE
    assert [line["session_id"] for line in logged if line["event"] == "a session cannot be read"] == [broken.session_id]
    later = datetime.now(UTC) + timedelta(minutes=6)
    assert len(await rows.to_start(later, 100)) == STARTS_AT_ONCE


async def test_an_unreadable_row_does_not_stop_the_sweep_of_runs() -> None:
    database = MemoryDatabase()
    rows = DatabaseSessionRows(database.engine)
    broken, whole = await add(rows, "broken", 1), await add(rows, "whole", 2)
    for session in (broken, whole):
        await rows.mark_started(session)
    async with database.engine.begin() as connection:
        await connection.execute(
            text("UPDATE sessions SET needs_run = true, snapshot = CASE name WHEN 'broken' THEN '{}' ELSE snapshot END")
        )
    asked: list[SessionId] = []

    async def find_without_run(names: Any) -> set[SessionId]:
        asked.extend(names)
        return set()

    await RunSweep(rows, find_without_run, print, count_stuck()).sweep_next()

    assert asked == [whole.session_id]

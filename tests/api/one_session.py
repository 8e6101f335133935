"""One session on rows in memory with a lasting run, and concurrent acts on it, one operation at a time."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from adapters.database.repositories.sessions import DatabaseSessionRows
from application.session_actions import LEFT_TO_WORKERS, SessionActions
from domain.audit.events import Event, EventType
from domain.audit.hash_chain import chain_is_intact
from domain.callbacks.callback import Callback, callbacks_of
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import (
    ActionRequest,
    ActionResult,
    ArchiveRequest,
    DeclineRequest,
    InviteRequest,
    RecordDownloadRequest,
    RestoreRequest,
    SessionCommand,
    SignRequest,
    ViewRequest,
)
from domain.session.downloadable_items import CERTIFICATE
from domain.session.session import Session, Transition
from domain.shared.ids import OrganisationId, SessionId
from tests.builders import ORGANISATION, audit, created, recipient, submission
from tests.databases import MemoryDatabase
from tests.fakes.sessions import FakeRuns, WitnessedRows

DRAFT = created(recipient("ada"), callback_url="https://callbacks.example.com/")
SESSION_ID, ADA = DRAFT.session.session_id, DRAFT.session.recipients[0].recipient_id
AT = audit()
FOR_ADA = {"recipient_id": ADA, "invitation": 1, "audit": AT}

REQUESTS: dict[str, ActionRequest] = {
    "send": ActionRequest(audit=AT),
    "archive": ArchiveRequest(audit=AT),
    "restore": RestoreRequest(audit=AT),
    "invite": InviteRequest(recipient_id=ADA, audit=AT),
    "view": ViewRequest(**FOR_ADA),
    "sign": SignRequest(**FOR_ADA, submission=submission()),
    "decline": DeclineRequest(**FOR_ADA, reason="The fee is wrong."),
    "record_download": RecordDownloadRequest(audit=AT, wanted=(CERTIFICATE,)),
}


class Turn(NamedTuple):
    """One operation of the act with index `who` among those that have any left; or its death before it."""

    who: int
    dies: bool = False


class Turns:
    """Lets the acts of one `play` continue in turns. Other tasks do not wait."""

    def __init__(self) -> None:
        self._playing: set[asyncio.Task[Any]] = set()
        self._gates: dict[asyncio.Task[Any], asyncio.Future[None]] = {}
        self._arrived = asyncio.Semaphore(0)

    async def wait(self) -> None:
        """Returns when it is the turn of the calling task."""
        task = asyncio.current_task()
        if task not in self._playing:
            return
        gate = self._gates[task] = asyncio.get_running_loop().create_future()
        self._arrived.release()
        await gate

    async def play(self, acts: Sequence[Coroutine[Any, Any, Any]], order: Iterable[Turn]) -> list[Any]:
        """Returns the result or error of each act: `CancelledError` if it died. The first continues after `order`."""
        tasks = [asyncio.create_task(act) for act in acts]
        self._playing.update(tasks)
        for task in tasks:
            task.add_done_callback(lambda _: self._arrived.release())
        for _ in tasks:
            await self._arrived.acquire()
        turns = iter(order)
        while waiting := [task for task in tasks if task in self._gates]:
            turn = next(turns, Turn(0))
            gate = self._gates.pop(waiting[turn.who % len(waiting)])
            if turn.dies:
                gate.cancel()
            else:
                gate.set_result(None)
            await self._arrived.acquire()
        self._playing.difference_update(tasks)
        return await asyncio.gather(*tasks, return_exceptions=True)

    async def die_after(self, operations: int, act: Coroutine[Any, Any, Any]) -> None:
        """Runs the first `operations` of an act; then its process dies."""
        [died] = await self.play([act], [*[Turn(0)] * operations, Turn(0, dies=True)])
        assert isinstance(died, asyncio.CancelledError), died


class TurnedRows(WitnessedRows):
    """Rows whose operations take turns. While `is_away`, the database does not answer."""

    def __init__(self, database: MemoryDatabase, turns: Turns) -> None:
        super().__init__(database.engine)
        self._turns = turns
        self.is_away = False

    async def _wait(self) -> None:
        await self._turns.wait()
        if self.is_away:
            raise DatabaseUnavailable

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        await self._wait()
        return await super().find(organisation_id, session_id)

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        await self._wait()
        await super().record(session, events, callbacks)

    async def change(self, before: Session | None, session: Session, *args: Any, **options: Any) -> bool:
        await self._wait()
        return await super().change(before, session, *args, **options)

    async def erase(self, organisation_id: OrganisationId, session_id: SessionId, *args: Any, **options: Any) -> None:
        await self._wait()
        await super().erase(organisation_id, session_id, *args, **options)


class LastingRuns(FakeRuns):
    """Runs that store their actions before they are in the database, as those on Temporal do."""

    def __init__(self, rows: WitnessedRows, turns: Turns) -> None:
        super().__init__(rows)
        self._turns = turns
        self.kept: dict[SessionId, ActionResult] = {}

    async def start(self, session: Session) -> bool:
        await self._turns.wait()
        await self.check()
        if session.session_id in self.started:
            return False
        self.started.add(session.session_id)
        self.kept[session.session_id] = ActionResult(session=session, events=(), callbacks=())
        return True

    async def act(self, session_id: SessionId, command: SessionCommand, update_id: str | None = None) -> ActionResult:
        await self._turns.wait()
        return await super().act(session_id, command, update_id)

    async def start_erasure(self, organisation_id: OrganisationId, session_id: SessionId, erased_at: datetime) -> None:
        await self._turns.wait()
        await super().start_erasure(organisation_id, session_id, erased_at)

    def session(self, session_id: SessionId) -> Session | None:
        return self.kept[session_id].session if session_id in self.kept else None

    async def take(self, step: Transition) -> ActionResult:
        now = self.kept[step.session.session_id]
        if step.session != now.session:
            session, callbacks = step.session.with_next_revision(), callbacks_of(now.session, step.session, step.events)
            now = ActionResult(session=session, events=now.events + step.events, callbacks=now.callbacks + callbacks)
            self.kept[session.session_id] = now
        return now

    async def record(self, session_id: SessionId) -> None:
        """Has the run record what is missing in the database."""
        now = self.kept[session_id]
        await self._rows.record(now.session, now.events, now.callbacks)
        later = self.kept[session_id]
        events = tuple(event for event in later.events if event.sequence > now.session.sequence)
        callbacks = tuple(callback for callback in later.callbacks if callback.sequence > now.session.sequence)
        self.kept[session_id] = ActionResult(session=later.session, events=events, callbacks=callbacks)


class House:
    """One session with its database and run, and the acts of the service on it."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.database = MemoryDatabase()
        self.rows = TurnedRows(self.database, self.turns)
        self.runs = LastingRuns(self.rows, self.turns)
        self.sessions = SessionActions(self.runs, self.rows)
        self._shown = DatabaseSessionRows(self.database.engine)

    async def row(self) -> Session | None:
        return await self._shown.find(ORGANISATION, SESSION_ID)

    async def now(self) -> Session:
        row = await self.row()
        assert row is not None
        return row

    async def events(self) -> tuple[Event, ...]:
        """Returns the history, after checking it against the row."""
        events = await self._shown.events(ORGANISATION, SESSION_ID)
        row = await self.row()
        assert chain_is_intact(events)
        assert (row.sequence, row.head) == (len(events), events[-1].hash) if row else not events
        return events

    async def left(self) -> list[SessionId]:
        """The sessions whose runs a worker will have to start."""
        due = await self._shown.to_start(datetime.now(UTC) + LEFT_TO_WORKERS, 10)
        return [session.session_id for session in due]

    async def act(self, name: str, session: Session | None = None) -> Session:
        """Acts on the session as it is, or as it was read before, and checks that the row has the result."""
        request, before = REQUESTS[name], session or await self.now()
        act = (
            self.sessions.act(before, request)
            if isinstance(request, SessionCommand)
            else self.sessions.send(before, request)
        )
        answered = await act
        row = await self.row()
        assert row is None or row.revision >= answered.revision
        assert row is None or len(await self.events()) >= answered.sequence
        return answered

    async def work(self) -> None:
        """Starts the run if it is left to workers, and records it, as a worker does."""
        for session in await self._shown.to_start(datetime.now(UTC) + LEFT_TO_WORKERS, 10):
            await self.runs.start(session)
            await self._shown.mark_started(session)
        if SESSION_ID in self.runs.kept:
            await self.runs.record(SESSION_ID)

    async def end(self) -> None:
        """Has the run end, with everything recorded."""
        await self.runs.record(SESSION_ID)
        self.runs.closed.add(SESSION_ID)


async def house_of(*acts: str) -> House:
    """A session after these acts; `end` ends its run."""
    house = House()
    await house.sessions.create(DRAFT)
    for name in acts:
        await (house.end() if name == "end" else house.act(name))
    return house


def types(events: Sequence[Event]) -> list[EventType]:
    return [event.type for event in events]


SENT = [EventType.SESSION_CREATED, EventType.SESSION_SENT, EventType.RECIPIENT_INVITED]

"""The service's own acts: what is left when a process dies, or while Temporal or the database is away."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from adapters.database.tables.callbacks import CallbackRow
from adapters.database.tables.sessions import TombstoneRow
from application.session_actions import LEFT_TO_WORKERS
from domain.audit.events import EventType
from domain.callbacks.callback import SESSION_DELETED
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import ViewRequest
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared import errors
from tests.api.one_session import ADA, AT, DRAFT, REQUESTS, SENT, SESSION_ID, House, Turn, house_of, types

# Sending


async def create_sent(house: House) -> Session:
    return await house.sessions.create(DRAFT, AT)


async def send_draft(house: House) -> Session:
    if await house.row() is None:
        await house.sessions.create(DRAFT)
    return await house.act("send")


Sending = Callable[[House], Awaitable[Session]]
SENDINGS = pytest.mark.parametrize("send", [create_sent, send_draft])


@SENDINGS
async def test_a_sent_session_without_a_run_is_started_by_a_worker(send: Sending) -> None:
    house = await house_of() if send is send_draft else House()
    await house.turns.die_after(1, send(house))  # type: ignore[arg-type]  # a coroutine
    assert not house.runs.started
    assert (await house.now()).status is SessionStatus.PENDING
    assert types(await house.events()) == SENT
    assert not await house.rows.to_start(datetime.now(UTC), 10)
    assert await house.left() == [SESSION_ID]


@SENDINGS
async def test_no_worker_starts_a_run_that_is_recorded(send: Sending) -> None:
    house = House()
    sent = await send(house)
    assert (house.runs.started, await house.left()) == ({SESSION_ID}, [SESSION_ID])
    await house.runs.record(SESSION_ID)
    assert await house.left() == []
    assert await house.now() == sent


async def test_no_worker_starts_a_draft() -> None:
    house = await house_of("archive", "restore")
    assert (house.runs.started, await house.left()) == (set(), [])


async def test_creating_twice_returns_the_first_session() -> None:
    house = await house_of("archive")
    again = await house.sessions.create(DRAFT, AT)
    assert again == await house.now()
    assert again.status is SessionStatus.CANCELLED
    assert not house.runs.started


@SENDINGS
async def test_while_temporal_is_away_a_session_is_sent_and_an_act_on_it_starts_its_run(send: Sending) -> None:
    house = House()
    house.runs.is_away = True
    sent = await send(house)
    assert sent == await house.now()
    assert sent.status is SessionStatus.PENDING
    assert await house.left() == [SESSION_ID]
    with pytest.raises(errors.Unavailable):
        await house.act("archive")
    house.runs.is_away = False
    archived = await house.act("archive")
    assert house.runs.started == {SESSION_ID}
    assert archived == await house.now() == house.runs.session(SESSION_ID)
    assert types(await house.events()) == [*SENT, EventType.SESSION_ARCHIVED]
    assert await house.left() == []


# Acts on sessions with runs


async def test_the_next_act_writes_the_row_that_a_dead_process_left() -> None:
    house = await house_of("send")
    await house.turns.die_after(1, house.act("view"))
    assert types(await house.events()) == SENT
    await house.act("view")  # by the same device: no event of its own
    assert types(await house.events()) == [*SENT, EventType.RECIPIENT_VIEWED]
    assert await house.now() == house.runs.session(SESSION_ID)
    callbacks = await house.database.read(CallbackRow)
    assert [callback.type for callback in callbacks] == [EventType.SESSION_SENT, EventType.RECIPIENT_VIEWED]


async def test_the_next_event_is_written_after_those_that_a_dead_process_left() -> None:
    house = await house_of("send")
    await house.turns.die_after(1, house.act("view"))
    await house.act("archive")
    assert types(await house.events()) == [*SENT, EventType.RECIPIENT_VIEWED, EventType.SESSION_ARCHIVED]


@pytest.mark.parametrize(
    ("act", "again"), [("sign", errors.AlreadySigned), ("archive", errors.AlreadyArchived), ("view", None)]
)
async def test_without_a_database_an_act_counts_and_asking_again_says_so(
    act: str, again: type[errors.SigningError] | None
) -> None:
    house = await house_of("send")
    session = await house.now()
    house.rows.is_away = True
    with pytest.raises(DatabaseUnavailable):
        await house.act(act, session)
    house.rows.is_away = False
    if again is None:
        assert (await house.act(act, session)).recipients[0].viewed_at
    else:
        with pytest.raises(again):
            await house.act(act, session)
    await house.runs.record(SESSION_ID)
    assert await house.now() == house.runs.session(SESSION_ID)
    assert len(await house.events()) > len(SENT)


async def test_a_refused_act_writes_nothing() -> None:
    house = await house_of("send")
    before = await house.now()
    with pytest.raises(errors.LinkNotValid):
        await house.sessions.act(before, ViewRequest(recipient_id=ADA, invitation=2, audit=AT))
    assert await house.now() == before


async def test_an_act_on_a_session_with_a_terminated_run_names_the_repair() -> None:
    house = await house_of("send")
    house.runs.closed.add(SESSION_ID)
    with pytest.raises(errors.Unavailable, match="undersign repair"):
        await house.act("archive")
    assert types(await house.events()) == SENT


# Acts on sessions whose runs have ended


async def test_an_act_after_the_run_has_ended_changes_the_row() -> None:
    house = await house_of("send", "decline", "end")
    before = await house.now()
    archived = await house.act("archive")
    restored = await house.act("restore")
    assert (archived.revision, restored.revision) == (before.revision + 1, before.revision + 2)
    assert (archived.status, restored.status) == (SessionStatus.CANCELLED, SessionStatus.DECLINED)
    assert await house.now() == restored
    assert types(await house.events())[-2:] == [EventType.SESSION_ARCHIVED, EventType.SESSION_RESTORED]
    assert await house.left() == []


async def test_an_act_of_a_recipient_after_the_run_has_ended_is_refused() -> None:
    house = await house_of("send", "decline", "end")
    for act in ("view", "sign", "decline", "invite"):
        with pytest.raises(errors.SessionNotActive):
            await house.act(act)


# Erasing


@pytest.mark.parametrize("acts", [(), ("send",), ("send", "view"), ("send", "decline", "end"), ("archive",)])
@pytest.mark.parametrize("is_away", [False, True])
async def test_an_erased_session_is_gone(acts: Sequence[str], *, is_away: bool) -> None:
    house = await house_of()
    old = await house.now()
    house = await house_of(*acts)
    last = (await house.events())[-1].sequence
    status = (await house.now()).status
    house.runs.is_away = is_away
    erased = await house.sessions.erase(old, REQUESTS["archive"])
    assert erased.is_erased
    assert await house.row() is None
    assert await house.events() == ()
    [callback] = await house.database.read(CallbackRow)
    assert (callback.type, callback.sequence) == (SESSION_DELETED, last + 1)
    assert f'"previousStatus":"{status}"' in callback.body.replace(" ", "")
    [tombstone] = await house.database.read(TombstoneRow)
    assert tombstone.erase_at is not None
    assert tombstone.erase_at > datetime.now(UTC) - timedelta(minutes=1)
    assert house.runs.erased == ([] if is_away else [SESSION_ID])
    for act in REQUESTS:
        with pytest.raises((errors.SessionNotFound, errors.SessionNotActive)):
            await house.act(act, erased)


async def test_late_results_of_an_erased_session_are_not_written() -> None:
    house = await house_of("send")
    session = await house.now()
    erase = house.sessions.erase(session, REQUESTS["archive"])
    # The run took it, and the session is erased before its row is written.
    await house.turns.play([house.act("view", session), erase], [Turn(0), Turn(1), Turn(1)])
    assert await house.row() is None
    assert await house.events() == ()
    [callback] = await house.database.read(CallbackRow)
    assert callback.type == SESSION_DELETED


async def test_an_erasure_that_was_not_started_is_left_to_workers() -> None:
    house = await house_of("send")
    await house.turns.die_after(1, house.sessions.erase(await house.now(), REQUESTS["archive"]))
    assert await house.row() is None
    assert not await house.rows.to_erase(datetime.now(UTC), 10)
    [tombstone] = await house.rows.to_erase(datetime.now(UTC) + LEFT_TO_WORKERS, 10)
    assert tombstone.session_id == SESSION_ID


async def test_an_erased_session_is_not_created_again() -> None:
    house = await house_of()
    await house.sessions.erase(await house.now(), REQUESTS["archive"])
    with pytest.raises(errors.SessionNotFound):
        await house.sessions.create(DRAFT, AT)
    assert not house.runs.started
    assert await house.left() == []

"""What both databases promise about callbacks whose delivery has not begun."""

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.callback_outbox import CLAIMED_FOR, DatabaseCallbackOutbox
from domain.callbacks.delivery_schedule import PAUSE_AFTER, Delivery
from domain.ports.callbacks import BEFORE_RUNS, CallbackOutbox
from domain.shared.ids import OrganisationId
from tests.adapters.database.repositories.test_callbacks import HOUR, Log
from tests.adapters.plans import asked
from tests.builders import NOON, ORGANISATION, identifier


def soon() -> datetime:
    """A time at which everything that has been written down is due."""
    return datetime.now(UTC) + HOUR


async def taken(outbox: CallbackOutbox, at: datetime) -> list[Delivery]:
    return [delivery for delivery, _ in await outbox.claim(at, 10)]


async def taken_failing(outbox: CallbackOutbox, at: datetime, limit: int = 10) -> list[Delivery]:
    return [delivery for delivery, _ in await outbox.claim_failing(at, limit)]


async def test_a_callback_is_due_until_its_delivery_is_started(database: AsyncEngine) -> None:
    log, outbox, at = Log(database), DatabaseCallbackOutbox(database), soon()
    assert await taken(outbox, at) == []
    await log.record()
    assert await taken(outbox, at) == [log.delivery]
    assert await taken(outbox, at + CLAIMED_FOR - timedelta(seconds=1)) == []
    assert await taken(outbox, at + CLAIMED_FOR) == [log.delivery]
    await outbox.mark_started(log.delivery)
    assert await taken(outbox, at + 100 * CLAIMED_FOR) == []
    await log.record()  # a late attempt of the workflow
    assert await taken(outbox, at + 100 * CLAIMED_FOR) == []

    farewell = log.farewell()
    key = (log.delivery.organisation_id, log.session.session_id)
    await log.rows.erase(*key, log.session.updated_at, lambda _: farewell)
    assert [delivery.event_id for delivery in await taken(outbox, at)] == [farewell.event_id]


async def test_concurrent_callers_claim_each_callback_once_up_to_their_limit(database: AsyncEngine) -> None:
    logs, outbox, at = ([Log(database, f"Agreement {n}") for n in range(8)], DatabaseCallbackOutbox(database), soon())
    await asyncio.gather(*(log.record() for log in logs))
    claims = await asyncio.gather(*(taken(outbox, at) for _ in range(6)))
    events = [delivery.event_id for deliveries in claims for delivery in deliveries]
    assert sorted(events) == sorted({log.delivery.event_id for log in logs})
    later = at + CLAIMED_FOR
    assert [len(await outbox.claim(later, 3)) for _ in range(4)] == [3, 3, 2, 0]


async def test_named_callbacks_are_found_by_key_and_due_ones_by_an_index(database: AsyncEngine) -> None:
    first, second = Log(database, "Agreement 1"), Log(database, "Agreement 2")
    for log in (first, second):
        await log.record()
    outbox, names = DatabaseCallbackOutbox(database), [(first.delivery.organisation_id, first.delivery.event_id)]
    with asked(database) as seen:
        ((claims, outgoing),) = await outbox.claim(soon(), 10, among=names)
        await outbox.mark_started(claims)
    with asked(database) as scans:
        await outbox.claim(NOON - HOUR, 20)
        await outbox.claim(NOON - HOUR, 20, without=[(ORGANISATION, "https://busy.example.com:443")])
    assert claims == first.delivery
    assert outgoing == await first.callbacks.find(claims, BEFORE_RUNS)
    keys = (seen, 3, "callbacks USING INDEX sqlite_autoindex_callbacks_1")
    for statements, count, index in (keys, (scans, 2, "callbacks_to_begin")):
        plans = [str(plan) for plan in await statements.plans()]
        assert len(plans) == count
        if database.dialect.name == "sqlite":  # PostgreSQL scans a table of two rows in any case
            assert [plan for plan in plans if index not in plan] == []


async def test_failing_receivers_are_claimed_separately_latest_first(database: AsyncEngine) -> None:
    lives, dead, hurt = (Log(database, name, f"https://{name}.example.com/") for name in ("lives", "dead", "hurt"))
    for number, log in enumerate((lives, dead, hurt)):
        await log.record()
        if log is not lives:
            await log.tried(1, after=number * HOUR)
    outbox, at = DatabaseCallbackOutbox(database), soon()
    assert await taken(outbox, at) == [lives.delivery]
    assert [d.receiver for d in await taken_failing(outbox, at, 1)] == [hurt.delivery.receiver]
    assert await taken_failing(outbox, at) == [dead.delivery]


async def test_a_receiver_fails_from_a_failure_to_the_next_success(database: AsyncEngine) -> None:
    log, other = Log(database), Log(database, "Another agreement")
    outbox, at = DatabaseCallbackOutbox(database), soon()
    for each in (log, other):
        await each.record()
    await other.tried(1)
    assert await taken(outbox, at) == []
    await other.tried(2, None)
    assert await taken_failing(outbox, at) == []
    assert await taken(outbox, at) == [log.delivery]


async def test_busy_receivers_of_an_organisation_are_left_out(database: AsyncEngine) -> None:
    logs = [Log(database, name, f"https://{name}.example.com/") for name in ("busy", "free")]
    for log in logs:
        await log.record()
    busy, free = (log.delivery for log in logs)
    outbox, at = DatabaseCallbackOutbox(database), soon()
    elsewhere = (OrganisationId(identifier("another")), free.receiver)
    claims = await outbox.claim(at, 10, without=[(busy.organisation_id, busy.receiver), elsewhere])
    assert [delivery for delivery, _ in claims] == [free]
    assert await taken(outbox, at) == [busy]


async def test_a_callback_without_another_attempt_is_not_due(database: AsyncEngine) -> None:
    log, outbox, at = Log(database), DatabaseCallbackOutbox(database), soon()
    await log.record()
    await log.tried(1, wait=HOUR, run_id=BEFORE_RUNS)
    assert await taken_failing(outbox, at) == [log.delivery]
    await log.tried(2, None, wait=None)
    assert await taken(outbox, at + 100 * CLAIMED_FOR) == []


async def test_claimed_callbacks_equal_those_that_are_found(database: AsyncEngine) -> None:
    logs = {
        name: Log(database, name, f"https://{name}.example.com/") for name in ("fresh", "tried", "paused", "failing")
    }
    for name, log in logs.items():
        await log.record()
        if name != "fresh":
            await log.tried(1, run_id=BEFORE_RUNS, after=timedelta())
    await logs["paused"].tried(2, run_id=BEFORE_RUNS, after=PAUSE_AFTER)
    other = Log(database, "another of tried", "https://tried.example.com/")
    await other.record()
    await other.tried(1, None, run_id=BEFORE_RUNS)

    outbox, at = DatabaseCallbackOutbox(database), soon()
    claimed = [*await outbox.claim(at, 10), *await outbox.claim_failing(at, 10)]
    assert {delivery.event_id: outgoing for delivery, outgoing in claimed} == {
        log.delivery.event_id: await log.callbacks.find(log.delivery, BEFORE_RUNS) for log in logs.values()
    }
    assert sorted(outgoing.tries for _, outgoing in claimed) == [0, 1, 1, 2]

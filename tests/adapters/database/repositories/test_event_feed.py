"""The events of an organisation have one order, in which nothing appears late."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.event_feed import DatabaseFeed
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.tables.sessions import EventRow
from domain.audit.events import FEED_START, FeedEvent, FeedPosition
from domain.shared.ids import OrganisationId
from tests.builders import NOON, ORGANISATION, audit, created, identifier
from tests.databases import MemoryDatabase


async def everything(feed: DatabaseFeed) -> tuple[FeedEvent, ...]:
    found = await feed.after(ORGANISATION, FEED_START, 100)
    assert found is not None
    return found


async def test_events_are_numbered_once_in_order(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    one, two = created(name="One"), created(name="Two")
    sent = one.session.send(audit())
    await rows.record(one.session, one.events)
    await rows.record(two.session, two.events)
    for _ in range(2):
        await rows.record(sent.session.with_next_revision(), (*one.events, *sent.events))

    found = await everything(feed)

    assert [one.event for one in found] == [*one.events, *two.events, *sent.events]
    assert [one.position.number for one in found] == list(range(1, len(found) + 1))
    assert await feed.after(ORGANISATION, found[1].position, 1) == (found[2],)
    assert await feed.after(ORGANISATION, found[-1].position, 1) == ()
    assert await feed.after(OrganisationId(identifier("stranger")), FEED_START, 100) == ()


async def test_concurrent_writers_take_different_numbers(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    steps = [created(name=f"Agreement {number}") for number in range(12)]
    await asyncio.gather(*(rows.record(step.session, step.events) for step in steps))
    found = await everything(feed)
    assert [one.position.number for one in found] == list(range(1, 13))
    assert {one.session_id for one in found} == {step.session.session_id for step in steps}


async def test_an_event_that_cannot_be_read_does_not_end_the_feed() -> None:
    database = MemoryDatabase()
    rows, feed = DatabaseSessionRows(database.engine), DatabaseFeed(database.engine)
    broken, later = created(name="Broken"), created(name="Later")
    for step in (broken, later):
        await rows.record(step.session, step.events)

    def spoil(row: EventRow) -> None:
        row.event = {} if row.session_id == broken.session.session_id else row.event

    await database.edit(EventRow, spoil)

    assert [one.event for one in await everything(feed)] == [*later.events]


async def test_numbers_of_erased_sessions_are_not_used_again(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    gone, later = created(name="Gone"), created(name="Later")
    await rows.record(gone.session, gone.events)
    await rows.erase(ORGANISATION, gone.session.session_id, NOON)
    await rows.record(gone.session, gone.events)
    await rows.record(later.session, later.events)
    found = await everything(feed)
    assert [one.session_id for one in found] == [later.session.session_id]
    assert found[0].position.number > 1


async def test_a_reader_continues_after_a_deleted_event(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    steps = [created(name=name) for name in ("One", "Two", "Three")]
    for step in steps:
        await rows.record(step.session, step.events)
    (_, second, third) = await everything(feed)

    await rows.erase(ORGANISATION, steps[1].session.session_id, NOON)

    assert await feed.after(ORGANISATION, second.position, 100) == (third,)
    assert [event.position.number for event in await everything(feed)] == [1, third.position.number]


async def test_a_position_from_before_a_restore_is_unknown() -> None:
    sqlite_copy = MemoryDatabase()
    rows, feed = DatabaseSessionRows(sqlite_copy.engine), DatabaseFeed(sqlite_copy.engine)
    kept, lost, other = (created(name=name) for name in ("Kept", "Lost", "Other"))
    await rows.record(kept.session, kept.events)
    saved = sqlite_copy.save()
    await rows.record(lost.session, lost.events)
    (first, second) = await everything(feed)

    sqlite_copy.load(saved)
    missing = await feed.after(ORGANISATION, second.position, 100)
    await rows.record(other.session, other.events)
    other_event = await feed.after(ORGANISATION, second.position, 100)
    await rows.erase(ORGANISATION, other.session.session_id, NOON)
    erased = await feed.after(ORGANISATION, second.position, 100)

    assert (missing, other_event, erased) == (None, None, None)
    assert await feed.after(ORGANISATION, first.position, 100) == ()
    assert await feed.after(ORGANISATION, FeedPosition(0, first.position.mark), 100) is None


async def test_after_a_restore_and_a_repair_a_reader_has_every_event() -> None:
    sqlite_copy = MemoryDatabase()
    rows, feed = DatabaseSessionRows(sqlite_copy.engine), DatabaseFeed(sqlite_copy.engine)
    steps = [created(name=f"Session {number}") for number in range(4)]
    for step in steps[:2]:
        await rows.record(step.session, step.events)
    early = (await everything(feed))[-1].position
    saved = sqlite_copy.save()
    await rows.record(steps[2].session, steps[2].events)
    sqlite_copy.load(saved)
    for step in (steps[3], steps[2]):  # another one is made before the lost one is written again
        await rows.record(step.session, step.events)

    read = await feed.after(ORGANISATION, early, 100)

    assert read is not None
    assert {event.session_id for event in read} == {step.session.session_id for step in steps[2:]}

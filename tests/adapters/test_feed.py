"""The events of an organisation have one order, in which nothing appears late."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.feed import DatabaseFeed
from adapters.database.sessions import DatabaseSessionRows
from domain.ids import OrganisationId
from tests.builders import NOON, ORGANISATION, created, identifier, occasion


async def test_events_are_numbered_as_they_are_written_each_once(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    one, two = created(name="One"), created(name="Two")
    sent = one.session.send(occasion())
    await rows.record(one.session, one.events)
    await rows.record(two.session, two.events)
    for _ in range(2):
        await rows.record(sent.session.revised(), (*one.events, *sent.events))

    found = await feed.after(ORGANISATION, 0, 100)

    assert [one.event for one in found] == [*one.events, *two.events, *sent.events]
    assert [one.position for one in found] == list(range(1, len(found) + 1))
    assert await feed.after(ORGANISATION, found[1].position, 1) == (found[2],)
    assert await feed.after(ORGANISATION, found[-1].position, 1) == ()
    assert await feed.after(OrganisationId(identifier("stranger")), 0, 100) == ()


async def test_writers_at_once_take_numbers_of_their_own(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    steps = [created(name=f"Agreement {number}") for number in range(12)]
    await asyncio.gather(*(rows.record(step.session, step.events) for step in steps))
    found = await feed.after(ORGANISATION, 0, 100)
    assert [one.position for one in found] == list(range(1, 13))
    assert {one.session_id for one in found} == {step.session.session_id for step in steps}


async def test_what_was_erased_leaves_no_number_to_be_used_again(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    gone, later = created(name="Gone"), created(name="Later")
    await rows.record(gone.session, gone.events)
    await rows.erase(ORGANISATION, gone.session.session_id, NOON)
    await rows.record(gone.session, gone.events)
    await rows.record(later.session, later.events)
    found = await feed.after(ORGANISATION, 0, 100)
    assert [one.session_id for one in found] == [later.session.session_id]
    assert found[0].position > 1


async def test_a_reader_goes_on_behind_an_event_that_was_deleted_meanwhile(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    steps = [created(name=name) for name in ("One", "Two", "Three")]
    for step in steps:
        await rows.record(step.session, step.events)
    (_, second, third) = await feed.after(ORGANISATION, 0, 100)

    await rows.erase(ORGANISATION, steps[1].session.session_id, NOON)

    assert await feed.after(ORGANISATION, second.position, 100) == (third,)
    assert [event.position for event in await feed.after(ORGANISATION, 0, 100)] == [1, third.position]

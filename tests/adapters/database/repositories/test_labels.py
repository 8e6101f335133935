"""External ids and metadata on both databases."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.event_feed import DatabaseFeed
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.audit.events import FEED_START
from domain.session.labels import ExternalIdTaken
from domain.session.list_query import SessionQuery
from domain.session.session import Transition
from domain.shared.ids import SessionId
from tests.builders import NOON, ORGANISATION, created, identifier

UNIQUE = {"external_id": "order-7", "external_id_unique": True}


def made(name: str, **settings: object) -> Transition:
    step = created(name=name, **settings)
    return step._replace(session=step.session.model_copy(update={"session_id": SessionId(identifier(name))}))


async def found(rows: DatabaseSessionRows, **labels: str) -> list[SessionId]:
    page = await rows.list_sessions(ORGANISATION, SessionQuery(labels=labels))
    return [session.session_id for session in page.sessions]


async def test_of_two_new_sessions_at_once_one_gets_the_external_id(database: AsyncEngine) -> None:
    rows = DatabaseSessionRows(database)
    steps = [made(name, **UNIQUE) for name in ("One", "Two", "Three", "Four")]

    outcomes = await asyncio.gather(
        *(rows.change(None, step.session, step.events) for step in steps), return_exceptions=True
    )

    (holder,) = [step.session.session_id for step, outcome in zip(steps, outcomes, strict=True) if outcome is True]
    refused = [outcome for outcome in outcomes if isinstance(outcome, ExternalIdTaken)]
    assert [one.session_id for one in refused] == [holder] * 3
    assert await rows.find_external_id(ORGANISATION, "order-7") == holder
    assert await found(rows, externalId="order-7") == [holder]
    refused_ids = {step.session.session_id for step in steps} - {holder}
    for session_id in refused_ids:  # of a session that was refused there is nothing
        assert await rows.find(ORGANISATION, session_id) is None
        assert await rows.events(ORGANISATION, session_id) == ()


async def test_a_session_that_is_written_again_keeps_its_external_id(database: AsyncEngine) -> None:
    rows, step = DatabaseSessionRows(database), made("One", **UNIQUE, metadata={"customer": "Northwind"})
    await rows.change(None, step.session, step.events)

    await rows.record(step.session.with_next_revision(), ())
    assert await rows.change(
        step.session.with_next_revision(), step.session.with_next_revision().with_next_revision(), ()
    )

    assert await found(rows, **{"externalId": "order-7", "metadata[customer]": "Northwind"}) == [
        step.session.session_id
    ]


@pytest.mark.parametrize("second_is_unique", [True, False])
async def test_a_lost_session_is_written_beside_one_with_its_external_id(
    database: AsyncEngine, second_is_unique: bool
) -> None:
    rows, lost, later = DatabaseSessionRows(database), made("Lost", **UNIQUE), made("Later", **UNIQUE)
    if not second_is_unique:
        later = later._replace(session=later.session.model_copy(update={"external_id_unique": False}))
    await rows.change(None, later.session, later.events)

    await rows.record(lost.session, lost.events)

    holder = later if second_is_unique else lost
    assert await rows.find_external_id(ORGANISATION, "order-7") == holder.session.session_id
    assert set(await found(rows, externalId="order-7")) == {lost.session.session_id, later.session.session_id}


async def test_nothing_of_them_is_left_of_a_session_that_was_erased(database: AsyncEngine) -> None:
    rows, step = DatabaseSessionRows(database), made("One", **UNIQUE, metadata={"customer": "Northwind"})
    await rows.change(None, step.session, step.events)

    await rows.erase(ORGANISATION, step.session.session_id, NOON)
    await rows.record(step.session, step.events)

    assert await rows.find_external_id(ORGANISATION, "order-7") is None
    assert await found(rows, externalId="order-7") == []
    async with database.connect() as connection:
        for table in ("labels", "external_ids"):
            assert (await connection.exec_driver_sql(f"SELECT count(*) FROM {table}")).scalar() == 0  # noqa: S608


async def test_the_feed_has_the_labels_of_each_session(database: AsyncEngine) -> None:
    rows, feed = DatabaseSessionRows(database), DatabaseFeed(database)
    marked, plain = made("One", **UNIQUE, metadata={"a b": "c"}), made("Two")
    for step in (marked, plain):
        await rows.change(None, step.session, step.events)

    labels = {one.session_id: one.labels for one in await feed.after(ORGANISATION, FEED_START, 10) or ()}

    assert labels == {
        marked.session.session_id: {"externalId": "order-7", "metadata[a b]": "c"},
        plain.session.session_id: {},
    }

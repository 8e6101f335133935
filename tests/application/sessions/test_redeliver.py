"""Resuming paused receivers, as the command line and the app do it."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import update

from adapters.database.engine import writing_rows
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.tables.callbacks import CallbackRow
from application.sessions.redeliver import redeliver, resume
from domain.callbacks.callback import event_id
from domain.callbacks.delivery_schedule import Attempt, Delivery
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from tests.api.callback_log import held_callback, keep_log
from tests.api.repositories import Repositories
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.deliveries import FakeDeliveries

ONE, OTHER = "https://one.example.com:443", "https://other.example.com:443"
SESSION = SessionId(identifier("session"))


def held(number: int, receiver: str) -> Delivery:
    return Delivery(
        organisation_id=ORGANISATION,
        session_id=SESSION,
        event_id=event_id(SESSION, str(number)),
        type="session.sent",
        receiver=receiver,
    )


@pytest.fixture
async def callbacks() -> DatabaseCallbacks:
    kept = Repositories()
    waiting = [
        held_callback(event_id(SESSION, str(number)), receiver) for number, receiver in enumerate((ONE, OTHER, ONE), 1)
    ]
    await keep_log(kept.database, ORGANISATION, SESSION, *waiting)
    return kept.callbacks


async def test_resuming_a_receiver_attempts_its_callbacks_at_once(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    assert await resume(callbacks, deliveries, ORGANISATION, ONE) == 2
    assert deliveries.asked_for == [held(1, ONE), held(3, ONE)]


async def test_all_receivers_are_resumed_when_none_is_named(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    assert await resume(callbacks, deliveries, ORGANISATION) == 3
    assert deliveries.asked_for == [held(1, ONE), held(2, OTHER), held(3, ONE)]


async def test_resuming_without_temporal_raises(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    deliveries.is_down = True
    with pytest.raises(Unavailable):
        await resume(callbacks, deliveries, ORGANISATION)


@pytest.mark.parametrize(
    ("begin_in", "is_failing", "has_failed", "is_asked_for"),
    [
        (timedelta(hours=1), False, False, False),  # a worker has taken it
        (timedelta(hours=-1), False, False, False),  # a worker takes it within a second
        (timedelta(hours=-1), True, False, True),  # it waits until the machine has time for a receiver that fails
        (timedelta(hours=1), True, True, True),  # its first try has failed, and Temporal was away
    ],
)
async def test_redelivery_begins_no_try_beside_a_first_try(
    begin_in: timedelta, is_failing: bool, has_failed: bool, is_asked_for: bool
) -> None:
    kept, deliveries, event = Repositories(), FakeDeliveries(), event_id(SESSION, "1")
    failed = Attempt(at=NOON, status_code=500, error="the receiver answered 500", duration_ms=1)
    changes = {"paused_since": None, "attempts": (failed,) if has_failed else ()}
    await keep_log(kept.database, ORGANISATION, SESSION, held_callback(event, ONE).model_copy(update=changes))
    async with writing_rows(kept.database.engine) as rows:
        await rows.exec(update(CallbackRow).values(begin_at=datetime.now(UTC) + begin_in))
    if is_failing:
        await kept.callbacks.mark_failing(held(1, ONE), NOON)
    await redeliver(kept.callbacks, deliveries, (ORGANISATION, SESSION), event)
    assert [delivery.event_id for delivery in deliveries.asked_for] == ([event] if is_asked_for else [])

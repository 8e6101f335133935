"""Resuming paused receivers, as the command line and the app do it."""

import pytest

from adapters.database.callbacks import DatabaseCallbacks
from api.redelivering import resume
from domain.callbacks import event_id
from domain.deliveries import Delivery
from domain.errors import Unavailable
from domain.ids import SessionId
from tests.api.callback_log import held_callback, keep_log
from tests.api.repositories import Repositories
from tests.builders import ORGANISATION, identifier
from tests.fakes.deliveries import FakeDeliveries

ONE, OTHER = "https://one.example.com:443", "https://other.example.com:443"
SESSION = SessionId(identifier("session"))


def held(number: int, receiver: str) -> Delivery:
    return Delivery(
        organisation_id=ORGANISATION,
        session_id=SESSION,
        event_id=event_id(SESSION, number),
        type="session.sent",
        receiver=receiver,
    )


@pytest.fixture
async def callbacks() -> DatabaseCallbacks:
    kept = Repositories()
    waiting = [
        held_callback(event_id(SESSION, number), receiver) for number, receiver in enumerate((ONE, OTHER, ONE), 1)
    ]
    await keep_log(kept.database, ORGANISATION, SESSION, *waiting)
    return kept.callbacks


async def test_what_was_held_for_one_receiver_is_tried_at_once(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    assert await resume(callbacks, deliveries, ORGANISATION, ONE) == 2
    assert deliveries.asked_for == [held(1, ONE), held(3, ONE)]


async def test_all_receivers_are_resumed_when_none_is_named(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    assert await resume(callbacks, deliveries, ORGANISATION) == 3
    assert deliveries.asked_for == [held(1, ONE), held(2, OTHER), held(3, ONE)]


async def test_without_temporal_whoever_resumes_is_told(callbacks: DatabaseCallbacks) -> None:
    deliveries = FakeDeliveries()
    deliveries.is_down = True
    with pytest.raises(Unavailable):
        await resume(callbacks, deliveries, ORGANISATION)

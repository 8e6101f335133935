"""The schedule of callbacks, and the callbacks of sessions."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus, WorkflowFailureError

from activities.interface import CALLBACKS_QUEUE, FAILING_QUEUE
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import MAX_JITTER, RETRY_WAITS
from domain.session.session import Session
from domain.workflow_ids import erasure_id
from tests.builders import recipient
from tests.workflows.acts import ACT, RESTORE, declined_by
from tests.workflows.post import Post, post, post_on
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, result_of
from tests.workflows.stories import called_back
from tests.workflows.waiting import eventually

HOUR = timedelta(hours=1)


@pytest.fixture
async def real() -> AsyncIterator[Post]:
    """Deliveries on the server of installations, which tells waiting attempts from running ones."""
    async with dev_server() as environment, post_on(environment) as made:
        yield made


@pytest.fixture
async def office() -> AsyncIterator[Post]:
    async with post() as made:
        yield made


async def test_a_callback_is_tried_ten_times_by_the_schedule_and_an_outage_of_the_database_uses_up_no_try(
    office: Post,
) -> None:
    office.database_failures = 3
    await office.deliveries.start(office.delivery)
    assert await office.ended() == "held"  # the receiver was dead for three days
    waits, logged = office.waits(), await office.logged()
    assert len((await office.handle().fetch_history()).events) == 11  # regardless of the number of attempts
    assert len(waits) == len(RETRY_WAITS)
    for waited, planned in zip(waits, RETRY_WAITS, strict=True):
        assert planned <= waited <= planned * (1 + MAX_JITTER) + timedelta(seconds=10)
    assert (len(logged.attempts), logged.status, logged.next_attempt_at) == (10, CallbackStatus.PENDING, None)
    assert sum(RETRY_WAITS, timedelta()) == timedelta(hours=75, minutes=35, seconds=5)


async def test_after_a_first_try_a_delivery_begins_with_the_wait_and_has_nine_tries(office: Post) -> None:
    at = await office.environment.get_current_time()
    await office.first_try_failed(at, RETRY_WAITS[0])
    await office.deliveries.start(office.delivery, RETRY_WAITS[0])
    assert await office.ended() == "held"
    assert office.receiver.sent[0] - at >= RETRY_WAITS[0]
    assert len(office.receiver.sent) == 9
    assert RETRY_WAITS[1] <= office.waits()[0] <= RETRY_WAITS[1] * (1 + MAX_JITTER) + timedelta(seconds=10)


async def test_a_delivery_that_starts_too_early_waits_for_its_time(office: Post) -> None:
    at = await office.environment.get_current_time()
    await office.first_try_failed(at, HOUR)
    await office.deliveries.start(office.delivery)
    await office.ended()
    assert HOUR <= office.receiver.sent[0] - at <= HOUR + timedelta(minutes=1)


async def test_deliveries_do_not_keep_step(office: Post) -> None:
    sent = []
    for name in ("One", "Two", "Three"):
        delivery = await office.office.announce_another(name, f"https://{name.lower()}.example.com/")
        await office.deliveries.start(delivery)
        await office.ended(delivery)
        sent.append(office.receiver.sent[-2:])
    assert len({later - earlier for earlier, later in sent}) == 3


async def test_a_receiver_that_asks_for_more_time_gets_it_and_the_first_success_ends_a_delivery(office: Post) -> None:
    office.receiver.statuses, office.receiver.retry_after = [429, 204], 7 * HOUR
    await office.deliveries.start(office.delivery)
    assert await office.ended() == "delivered"
    assert len(office.receiver.sent) == 2
    assert 7 * HOUR <= office.waits()[0] < 7 * HOUR + timedelta(minutes=1)


async def test_a_delivery_starts_once_and_redelivery_delivers_it_again(office: Post) -> None:
    office.receiver.statuses = [204, 204]
    for _ in range(2):
        await office.deliveries.start(office.delivery)
        assert await office.handle().result() == "delivered"
    assert len(office.receiver.sent) == 1
    await office.deliveries.retry_now(office.delivery)
    await office.handle().result()
    assert (await office.handle().describe()).task_queue == CALLBACKS_QUEUE
    assert len(office.receiver.sent) == 2


# Asked for again


async def test_redelivery_tries_a_delivery_that_waits_at_once_and_from_the_start(real: Post) -> None:
    real.receiver.retry_after = 20 * HOUR
    await real.deliveries.start(real.delivery)
    await eventually(real.logged, lambda logged: len(logged.attempts) == 1)
    real.receiver.retry_after = None
    await eventually(real.waits_for_retry, bool)
    await real.deliveries.retry_now(real.delivery)
    await eventually(real.logged, lambda logged: len(logged.attempts) == 2)
    logged = await real.logged()
    assert logged.next_attempt_at is not None
    assert RETRY_WAITS[0] <= logged.next_attempt_at - logged.attempts[1].at <= RETRY_WAITS[0] * (1 + MAX_JITTER)


async def test_redelivery_tries_a_delivery_at_once_that_waits_for_its_start(real: Post) -> None:
    await real.deliveries.start(real.delivery, HOUR)
    real.receiver.statuses = [204]
    await real.deliveries.retry_now(real.delivery)
    assert await real.handle().result() == "delivered"
    assert len(real.receiver.sent) == 1


async def test_redelivery_begins_no_try_beside_one_that_is_under_way(real: Post) -> None:
    real.receiver.statuses = [204]
    real.receiver.answers.clear()
    await real.deliveries.start(real.delivery)
    await eventually(real.tries, bool)
    for _ in range(3):
        await real.deliveries.retry_now(real.delivery)
    real.receiver.answers.set()
    assert await real.handle().result() == "delivered"
    assert len(real.receiver.sent) == 1


async def test_a_receiver_that_fails_is_served_by_a_queue_of_its_own(office: Post) -> None:
    office.receiver.statuses = [204]
    await office.deliveries.start(office.delivery.model_copy(update={"is_failing": True}))
    assert await office.handle().result() == "delivered"
    assert (await office.handle().describe()).task_queue == FAILING_QUEUE


# Cancelled, as the pages of Temporal offer it


async def test_a_delivery_that_is_cancelled_ends_and_shows_operators_what_it_is_about(real: Post) -> None:
    await real.deliveries.start(real.delivery)
    await eventually(real.waits_for_retry, bool)
    described = await real.handle().describe()
    assert await described.static_summary() == f"session.sent to {real.delivery.receiver}"
    (pending,) = described.raw_description.pending_activities
    assert pending.last_failure.message == "try 1: the receiver answered 500"
    await cancelled(real)
    assert len(real.receiver.sent) == 1


async def test_a_delivery_that_is_cancelled_before_its_start_ends_and_can_be_delivered_again(real: Post) -> None:
    await real.deliveries.start(real.delivery, HOUR)
    await cancelled(real)
    assert real.receiver.sent == []
    real.receiver.statuses = [204]
    await real.deliveries.retry_now(real.delivery)
    assert await real.handle().result() == "delivered"


async def test_a_try_that_is_under_way_comes_to_its_end_when_its_delivery_is_cancelled(real: Post) -> None:
    real.receiver.statuses = [204]
    real.receiver.answers.clear()
    await real.deliveries.start(real.delivery)
    await eventually(real.tries, bool)
    await real.handle().cancel()
    real.receiver.answers.set()
    assert await real.handle().result() == "delivered"
    assert (await real.logged()).status is CallbackStatus.DELIVERED


async def cancelled(office: Post) -> None:
    """Cancels the delivery, and checks what is shown of it."""
    await office.handle().cancel()
    with pytest.raises(WorkflowFailureError):
        await office.handle().result()
    assert (await office.handle().describe()).status is WorkflowExecutionStatus.CANCELED
    logged = await office.logged()
    assert (logged.status, logged.next_attempt_at) == (CallbackStatus.FAILED, None)


# What sessions announce


async def test_a_session_announces_each_change_with_the_row_that_shows_it(stage: Stage) -> None:
    session = await called_back(stage)
    told = bodies(stage, session)
    assert [body["type"] for body in told] == [
        "session.sent",
        "recipient.viewed",
        "recipient.completed",
        "session.completed",
        "session.documentsGenerated",
    ]
    assert [body["data"]["sequence"] for body in told] == [2, 4, 6, 7, 8]
    assert {body["data"]["sessionId"] for body in told} == {session.session_id}


def bodies(stage: Stage, session: Session) -> list[dict[str, Any]]:
    """The callbacks of the session in the database."""
    told = [json.loads(callback.body) for callback in stage.effects.callbacks]
    return [body for body in told if body["data"]["sessionId"] == session.session_id]


async def test_an_action_after_the_end_of_the_run_has_a_callback(stage: Stage) -> None:
    session = await stage.send(
        recipient("ada"), name="Called back after closing", callback_url="https://hooks.example.com/"
    )
    await stage.sessions.act(session, declined_by("ada"))
    await result_of(stage, session)
    await stage.sessions.act(session, ACT)
    await stage.sessions.act(session, RESTORE)
    await stage.sessions.erase(session, ACT)
    await stage.client.get_workflow_handle(erasure_id(session.session_id)).result()

    told = bodies(stage, session)
    assert [(body["type"], body["data"]["previousStatus"], body["data"]["status"]) for body in told[-3:]] == [
        ("session.archived", "declined", "cancelled"),
        ("session.restored", "cancelled", "declined"),
        ("session.deleted", "declined", "deleted"),
    ]


async def test_callbacks_are_recorded_when_the_database_is_back(stage: Stage) -> None:
    session = await stage.send(recipient("ada"), name="Announced late", callback_url="https://hooks.example.com/")
    stage.effects.failures["record_session"] = 3
    await stage.runs.act(session.session_id, ACT)

    told = await eventually(lambda: asyncio.sleep(0, bodies(stage, session)), lambda told: len(told) == 2)

    assert [body["type"] for body in told] == ["session.sent", "session.archived"]

"""One try of a callback: to a real receiver, by the real client, into a real log."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from temporalio.client import Client
from temporalio.testing import ActivityEnvironment
from temporalio.worker import Worker

from activities.callbacks import RetryLater
from activities.interface import CALLBACKS_QUEUE, DeliveryState
from adapters.webhooks.http_sender import HttpSender
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.callback_signature import new_secret
from domain.callbacks.delivery_schedule import MAX_JITTER, PAUSE_AFTER, RETRY_WAITS, Attempt
from domain.ports.callbacks import CallbackAttempt
from domain.workflow_ids import callback_id
from tests.activities.office import Office, office
from tests.builders import NOON, ORGANISATION
from tests.fakes.receivers import Answer, hangs, says
from tests.fakes.standard_webhooks import is_genuine
from tests.workflows.post import OnServerTime
from tests.workflows.servers import time_skipping_server
from tests.workflows.waiting import eventually
from workflows.client.deliveries import TemporalDeliveries
from workflows.workflow_types import CALLBACK_WORKFLOWS


async def test_a_delivered_callback_is_signed_with_the_old_and_the_new_secret_and_logged(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        (old,) = await made.secrets.signing(ORGANISATION, datetime.now(UTC))
        new = await made.secrets.rotate(ORGANISATION, datetime.now(UTC))
        assert await made.deliver() is DeliveryState.DELIVERED
        (received,) = receiver.received
        for secret in (old, new):
            assert is_genuine(secret, received.headers, received.body)
            assert not is_genuine(secret, received.headers, received.body + b" ")
        assert not is_genuine(new_secret(), received.headers, received.body)
        assert received.body == made.callback.body.encode()
        assert received.headers["webhook-id"] == made.callback.event_id
        assert await made.status() is CallbackStatus.DELIVERED


@pytest.mark.parametrize(
    ("answer", "shortest"),
    [
        (says(500), RETRY_WAITS[0]),
        (says(301, location="http://127.0.0.1/"), RETRY_WAITS[0]),
        (hangs, RETRY_WAITS[0]),
        (says(429, retry_after="3600"), timedelta(hours=1)),
        (says(503, retry_after="1"), RETRY_WAITS[0]),
        (says(429, retry_after="99999999"), timedelta(hours=24)),
    ],
)
async def test_a_failure_is_followed_by_a_wait(tmp_path: Path, answer: Answer, shortest: timedelta) -> None:
    async with office(tmp_path, answer) as (made, _):
        wait = await made.deliver()
        assert isinstance(wait, timedelta)
        assert shortest <= wait <= shortest * (1 + MAX_JITTER)
        (logged,) = await made.callbacks.log(ORGANISATION, made.session.session_id)
        assert logged.status is CallbackStatus.PENDING
        assert logged.next_attempt_at == logged.attempts[0].at + wait


async def test_the_tenth_failure_ends_a_delivery_whatever_the_attempt_of_the_activity(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        await made.delivering.attempt_first(made.delivery)
        waits = [await made.deliver() for _ in RETRY_WAITS]
        for wait, planned in zip(waits, RETRY_WAITS[1:], strict=False):
            assert isinstance(wait, timedelta)
            assert planned <= wait <= planned * (1 + MAX_JITTER)
        assert waits[-1] is DeliveryState.FAILED
        assert len(receiver.received) == 1 + len(RETRY_WAITS)
        assert await made.status() is CallbackStatus.FAILED


async def test_a_worker_that_died_after_the_log_does_not_try_before_the_time(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        planned = await made.deliver()
        left = await made.deliver(after=timedelta(seconds=1))
        assert isinstance(left, timedelta)
        assert isinstance(planned, timedelta)
        assert timedelta() < left < planned
        assert len(receiver.received) == 1


async def test_the_first_try_is_made_once_and_a_request_has_a_try_at_once_and_starts_the_schedule_again(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        first = await made.delivering.attempt_first(made.delivery)
        again = await made.delivering.attempt_first(made.delivery)
        assert isinstance(first, RetryLater)
        assert isinstance(again, RetryLater)
        assert again.wait <= first.wait
        assert isinstance(await made.deliver(after=timedelta()), timedelta)
        assert len(receiver.received) == 1
        wait = await made.deliver(asked=True, after=timedelta())
        assert isinstance(wait, timedelta)
        assert RETRY_WAITS[0] <= wait <= RETRY_WAITS[0] * (1 + MAX_JITTER)
        assert len(receiver.received) == 2


async def test_a_worker_that_died_over_the_log_does_not_send_again(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        environment = ActivityEnvironment()
        kept = Attempt(at=NOON, status_code=200, error=None, duration_ms=3)
        environment.info = replace(environment.info, heartbeat_details=[1, kept.model_dump(mode="json")])
        assert await environment.run(made.delivering.deliver_callback, made.delivery) is DeliveryState.DELIVERED
        assert receiver.received == []


async def test_an_answer_that_was_logged_does_not_count_for_the_next_try(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        failed = Attempt(at=NOON, status_code=500, error="the receiver answered 500", duration_ms=3)
        environment = ActivityEnvironment()
        run_id = environment.info.workflow_run_id or ""
        await made.callbacks.record_attempt(CallbackAttempt(made.delivery, run_id, 1, failed, RETRY_WAITS[0]))
        details = [1, failed.model_dump(mode="json")]
        environment.info = replace(environment.info, heartbeat_details=details, started_time=datetime.now(UTC))
        assert await environment.run(made.delivering.deliver_callback, made.delivery) is DeliveryState.DELIVERED
        assert len(receiver.received) == 1


async def test_a_paused_receiver_is_called_on_request_only(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        await pause(made)
        assert await made.deliver() is DeliveryState.HELD
        assert receiver.received == []
        assert [(told.receiver, told.organisation_id) for told in made.warnings] == [
            (made.delivery.receiver, ORGANISATION)
        ]
        assert await made.deliver(asked=True) is DeliveryState.DELIVERED


async def test_a_delivery_that_was_cancelled_is_shown_as_failed_and_one_that_was_delivered_is_not(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        await made.deliver()
        for _ in range(2):
            await ActivityEnvironment().run(made.delivering.stop_callback, made.delivery)
        (logged,) = await made.callbacks.log(ORGANISATION, made.session.session_id)
        assert (logged.status, logged.next_attempt_at) == (CallbackStatus.FAILED, None)
        receiver.answer = says(200)
        await made.deliver()
        await ActivityEnvironment().run(made.delivering.stop_callback, made.delivery)
        assert await made.status() is CallbackStatus.DELIVERED


async def pause(made: Office) -> None:
    """The receiver has failed for three days."""
    now = datetime.now(UTC)
    for number, at in enumerate((now - PAUSE_AFTER, now - PAUSE_AFTER / 2, now), 1):
        failed = Attempt(at=at, status_code=500, error="the receiver answered 500", duration_ms=1)
        await made.callbacks.record_attempt(
            CallbackAttempt(made.delivery, "another run", number, failed, RETRY_WAITS[0])
        )


async def test_callbacks_of_an_erased_session_are_not_sent(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        await made.rows.erase(ORGANISATION, made.session.session_id, NOON)
        assert await made.deliver() is DeliveryState.ERASED
        assert receiver.received == []


@pytest.mark.temporal
async def test_every_attempt_has_the_same_id_and_bytes_until_the_receiver_recovers(tmp_path: Path) -> None:
    answers = [says(500), says(503), says(200)]

    async def answer(writer: object) -> None:
        await answers.pop(0)(writer)  # type: ignore[arg-type]

    async with office(tmp_path, answer) as (made, receiver), time_skipping_server() as environment:
        client: Client = environment.client
        delivering = replace(made.delivering, sender=OnServerTime(made.delivering.sender))
        async with Worker(
            client, task_queue=CALLBACKS_QUEUE, workflows=CALLBACK_WORKFLOWS, activities=[delivering.deliver_callback]
        ):
            await TemporalDeliveries(client).start(made.delivery)
            await environment.sleep(timedelta(hours=1))
            assert await client.get_workflow_handle(callback_id(made.callback.event_id)).result() == "delivered"
        assert len({(r.headers["webhook-id"], r.body) for r in receiver.received}) == 1
        (secret,) = await made.secrets.signing(ORGANISATION, datetime.now(UTC))
        assert all(is_genuine(secret, received.headers, received.body) for received in receiver.received)
        (logged,) = await made.callbacks.log(ORGANISATION, made.session.session_id)
        assert [attempt.status_code for attempt in logged.attempts] == [500, 503, 200]


async def test_a_slow_receiver_counts_as_failing_until_it_answers(tmp_path: Path) -> None:
    answered = asyncio.Event()

    async def late(writer: asyncio.StreamWriter) -> None:
        await answered.wait()
        await says(204)(writer)

    due_by = datetime.now(UTC) + timedelta(hours=1)
    async with office(tmp_path, late) as (made, _):
        made.delivering = replace(made.delivering, sender=HttpSender(private=True), failing_after=0.05)
        trying = asyncio.create_task(made.deliver())
        await made.announce_another()
        due = await eventually(partial(made.outbox.claim_failing, due_by, 10), bool)
        assert {delivery.receiver for delivery, _ in due} == {made.delivery.receiver}
        answered.set()
        assert await trying is DeliveryState.DELIVERED
        assert await made.outbox.claim_failing(due_by + timedelta(hours=1), 10) == []
        assert len(await made.outbox.claim(due_by + timedelta(hours=1), 10)) == 1  # the other one

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

from activities.interface import CALLBACKS_QUEUE, DeliverRequest, DeliveryOutcome, DeliveryState
from adapters.database.callback_port import Tried
from adapters.webhooks.sending import HttpSender
from adapters.webhooks.signing import new_secret
from domain.callbacks import CallbackStatus
from domain.deliveries import Attempt
from domain.workflow_ids import callback_id
from tests.activities.office import FIVE_SECONDS, Office, office
from tests.builders import NOON, ORGANISATION
from tests.fakes.receivers import Answer, hangs, says
from tests.fakes.standard_webhooks import is_genuine
from tests.workflows.servers import time_skipping_server
from tests.workflows.waiting import eventually
from workflows.deliveries import TemporalDeliveries
from workflows.registry import DELIVERIES


async def test_a_delivered_callback_is_signed_and_logged(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        assert await made.deliver() == DeliveryOutcome(state=DeliveryState.DELIVERED)
        (received,) = receiver.received
        (secret,) = await made.secrets.signing(ORGANISATION, datetime.now(UTC))
        assert is_genuine(secret, received.headers, received.body)
        assert not is_genuine(new_secret(), received.headers, received.body)
        assert not is_genuine(secret, received.headers, received.body + b" ")
        assert received.body == made.callback.body.encode()
        assert received.headers["webhook-id"] == made.callback.event_id
        assert await made.status() is CallbackStatus.DELIVERED


async def test_while_secrets_change_receivers_that_know_either_are_served(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        (old,) = await made.secrets.signing(ORGANISATION, datetime.now(UTC))
        new = await made.secrets.rotate(ORGANISATION, datetime.now(UTC))
        await made.deliver()
        assert is_genuine(old, receiver.received[0].headers, receiver.received[0].body)
        assert is_genuine(new, receiver.received[0].headers, receiver.received[0].body)


@pytest.mark.parametrize(
    ("answer", "planned", "state", "wait"),
    [
        (says(500), FIVE_SECONDS, DeliveryState.WAITING, FIVE_SECONDS),
        (says(301, location="http://127.0.0.1/"), FIVE_SECONDS, DeliveryState.WAITING, FIVE_SECONDS),
        (hangs, FIVE_SECONDS, DeliveryState.WAITING, FIVE_SECONDS),
        (says(429, retry_after="3600"), FIVE_SECONDS, DeliveryState.WAITING, timedelta(hours=1)),
        (says(503, retry_after="1"), FIVE_SECONDS, DeliveryState.WAITING, FIVE_SECONDS),
        (says(429, retry_after="99999999"), FIVE_SECONDS, DeliveryState.WAITING, timedelta(hours=24)),
        (says(410), FIVE_SECONDS, DeliveryState.FAILED, None),
        (says(500), None, DeliveryState.FAILED, None),
    ],
)
async def test_what_follows_a_failure(
    tmp_path: Path, answer: Answer, planned: timedelta | None, state: DeliveryState, wait: timedelta | None
) -> None:
    async with office(tmp_path, answer) as (made, _):
        assert await made.deliver(planned=planned) == DeliveryOutcome(state=state, wait=wait)
        expected = CallbackStatus.PENDING if wait else CallbackStatus.FAILED
        assert await made.status() is expected


async def test_a_worker_that_died_over_the_log_does_not_send_again(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        environment = ActivityEnvironment()
        kept = Attempt(at=NOON, status_code=200, error=None, duration_ms=3)
        environment.info = replace(environment.info, heartbeat_details=[kept.model_dump(mode="json")])
        request = DeliverRequest(delivery=made.delivery, number=1, planned_wait=FIVE_SECONDS)
        outcome = await environment.run(made.delivering.deliver_callback, request)
        assert outcome.state is DeliveryState.DELIVERED
        assert receiver.received == []


async def test_a_paused_receiver_is_not_called_unless_somebody_asks(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        for hours in (0, 40, 73):
            await _fail(made, datetime.now(UTC) - timedelta(hours=80 - hours), hours + 1)
        assert await made.deliver(90) == DeliveryOutcome(state=DeliveryState.HELD)
        assert receiver.received == []
        assert [(pause.receiver, pause.organisation_id) for pause in made.warned.begun] == [
            (made.delivery.receiver, ORGANISATION)
        ]
        assert (await made.deliver(91, asked=True)).state is DeliveryState.DELIVERED


async def _fail(made: Office, at: datetime, number: int) -> None:
    failed = Attempt(at=at, status_code=500, error="the receiver answered 500", duration_ms=1)
    await made.callbacks.keep_attempt(Tried(made.delivery, "run", number, failed, FIVE_SECONDS))


async def test_callbacks_of_an_erased_session_are_not_sent(tmp_path: Path) -> None:
    async with office(tmp_path, says(200)) as (made, receiver):
        await made.rows.erase(ORGANISATION, made.session.session_id, NOON)
        assert await made.deliver() == DeliveryOutcome(state=DeliveryState.ERASED)
        assert receiver.received == []


@pytest.mark.temporal
async def test_every_try_has_the_same_id_and_bytes_until_the_receiver_lives_again(tmp_path: Path) -> None:
    answers = [says(500), says(503), says(200)]

    async def answer(writer: object) -> None:
        await answers.pop(0)(writer)  # type: ignore[arg-type]

    async with office(tmp_path, answer) as (made, receiver), time_skipping_server() as environment:
        client: Client = environment.client
        async with Worker(
            client,
            task_queue=CALLBACKS_QUEUE,
            workflows=DELIVERIES,
            activities=[made.delivering.deliver_callback],
        ):
            await TemporalDeliveries(client).begin(made.delivery)
            await environment.sleep(timedelta(hours=1))
            assert await client.get_workflow_handle(callback_id(made.callback.event_id)).result() == "delivered"
        assert len({(r.headers["webhook-id"], r.body) for r in receiver.received}) == 1
        (secret,) = await made.secrets.signing(ORGANISATION, datetime.now(UTC))
        assert all(is_genuine(secret, received.headers, received.body) for received in receiver.received)
        (logged,) = await made.callbacks.log(ORGANISATION, made.session.session_id)
        assert [attempt.status_code for attempt in logged.attempts] == [500, 503, 200]


async def test_a_receiver_that_lets_a_try_wait_counts_as_failing_until_it_answers(tmp_path: Path) -> None:
    answered = asyncio.Event()

    async def late(writer: asyncio.StreamWriter) -> None:
        await answered.wait()
        await says(204)(writer)

    due_by = datetime.now(UTC) + timedelta(hours=1)
    async with office(tmp_path, late) as (made, _):
        made.delivering = replace(made.delivering, sender=HttpSender(private=True), suspect_after=0.05)
        trying = asyncio.create_task(made.deliver())
        await made.announce_another()
        due = await eventually(partial(made.announcements.take, due_by, 10, failing=True), bool)
        assert [delivery.receiver for delivery in due] == [made.delivery.receiver]
        answered.set()
        assert (await trying).state is DeliveryState.DELIVERED
        assert await made.announcements.take(due_by + timedelta(hours=1), 10, failing=True) == []
        assert len(await made.announcements.take(due_by + timedelta(hours=1), 10, failing=False)) == 1

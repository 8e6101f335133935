"""When callbacks are tried, and that sessions announce what happens to them."""

import asyncio
import json
from datetime import timedelta
from typing import Any

from activities.interface import FAILING_QUEUE
from domain.callbacks import event_id
from domain.session import Session
from domain.workflow_ids import erasure_id
from tests.builders import created, recipient
from tests.workflows.acts import ACT, declined_by
from tests.workflows.post import DELIVERED, SESSION, delivery, outcome, post
from tests.workflows.stage import Stage, invited
from tests.workflows.stories import called_back, closed
from tests.workflows.waiting import eventually
from workflows.callback_schedule import LONGER_BY, WAITS


async def test_a_callback_is_tried_ten_times_by_the_schedule_and_a_little_later() -> None:
    async with post() as office:
        await office.deliveries.begin(delivery())
        assert await office.ended() == "waiting"
        waits = office.waits()
    assert [request.number for _, request in office.effects.tries] == list(range(1, 11))
    assert len(waits) == len(WAITS)
    for waited, planned in zip(waits, WAITS, strict=True):
        assert planned <= waited <= planned * (1 + LONGER_BY) + timedelta(seconds=10)
    assert sum(WAITS, timedelta()) == timedelta(hours=75, minutes=35, seconds=5)


async def test_deliveries_do_not_keep_step() -> None:
    async with post() as office:
        for number in range(1, 4):
            await office.deliveries.begin(delivery(number))
            await office.ended(number)
    planned = {request.planned_wait for _, request in office.effects.tries if request.number == 9}
    assert len(planned) == 3


async def test_a_delivery_ends_with_the_first_success() -> None:
    async with post() as office:
        office.effects.outcomes = [outcome(WAITS[0]), DELIVERED]
        await office.deliveries.begin(delivery())
        assert await office.handle().result() == "delivered"
    assert len(office.effects.tries) == 2


async def test_a_receiver_that_asks_for_more_time_gets_it() -> None:
    async with post() as office:
        office.effects.outcomes = [outcome(timedelta(hours=7)), DELIVERED]
        await office.deliveries.begin(delivery())
        await office.ended()
        assert timedelta(hours=7) <= office.waits()[0] < timedelta(hours=7, minutes=1)


async def test_a_delivery_that_was_begun_is_not_begun_again_even_when_it_has_ended() -> None:
    async with post() as office:
        office.effects.outcomes = [DELIVERED]
        await office.deliveries.begin(delivery())
        await office.handle().result()
        await office.deliveries.begin(delivery())
        await office.handle().result()
    assert len(office.effects.tries) == 1


async def test_whoever_asks_again_has_a_delivery_that_waits_tried_at_once_and_from_the_start() -> None:
    async with post() as office:
        office.effects.outcomes = [outcome(timedelta(hours=20)), DELIVERED]
        await office.deliveries.begin(delivery())
        await eventually(office.tried, lambda tried: tried == 1)
        await office.deliveries.again(delivery())
        await office.handle().result()
        assert office.waits()[0] < timedelta(hours=1)
    assert [request.delivery.was_asked_for for _, request in office.effects.tries] == [False, True]
    assert 1 <= office.effects.tries[1][1].planned_wait / WAITS[0] <= 1 + LONGER_BY  # type: ignore[operator]


async def test_whoever_asks_again_has_a_delivery_that_ended_done_anew_under_the_same_id() -> None:
    async with post() as office:
        office.effects.outcomes = [DELIVERED, DELIVERED]
        await office.deliveries.begin(delivery())
        await office.handle().result()
        await office.deliveries.again(delivery())
        await office.handle().result()
    assert [request.delivery.event_id for _, request in office.effects.tries] == [event_id(SESSION, 1)] * 2


async def test_a_database_that_is_down_uses_up_no_try() -> None:
    async with post() as office:
        office.effects.failures["deliver_callback"] = 3
        office.effects.outcomes = [DELIVERED]
        await office.deliveries.begin(delivery())
        assert await office.handle().result() == "delivered"
    assert [request.number for _, request in office.effects.tries] == [1]


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
    """The callbacks of the session that are in the database."""
    told = [json.loads(callback.body) for callback in stage.effects.callbacks]
    return [body for body in told if body["data"]["sessionId"] == session.session_id]


async def test_an_act_on_a_session_whose_run_has_ended_is_announced(stage: Stage) -> None:
    draft = created(recipient("ada"), name="Called back after closing", callback_url="https://hooks.example.com/")
    session = await invited(stage, await stage.start(draft), 1)
    await stage.sessions.decline(session, declined_by("ada"))
    await closed(stage, session)
    await stage.sessions.archive(session, ACT)
    await stage.sessions.restore(session, ACT)
    await stage.sessions.erase(session, ACT)
    await stage.client.get_workflow_handle(erasure_id(session.session_id)).result()

    told = bodies(stage, session)
    assert [(body["type"], body["data"]["previousStatus"], body["data"]["status"]) for body in told[-3:]] == [
        ("session.archived", "declined", "cancelled"),
        ("session.restored", "cancelled", "declined"),
        ("session.deleted", "declined", "deleted"),
    ]


async def test_what_the_database_does_not_take_is_announced_when_it_does(stage: Stage) -> None:
    draft = created(recipient("ada"), name="Announced late", callback_url="https://hooks.example.com/")
    session = await invited(stage, await stage.start(draft), 1)
    stage.effects.failures["record_session"] = 3
    await stage.runs.act(session.session_id, "archive", ACT)

    told = await eventually(lambda: asyncio.sleep(0, bodies(stage, session)), lambda told: len(told) == 2)

    assert [body["type"] for body in told] == ["session.sent", "session.archived"]


async def test_a_receiver_that_fails_is_served_by_a_queue_of_its_own_and_when_asked_for_at_once() -> None:
    async with post() as office:
        office.effects.outcomes = [DELIVERED, DELIVERED]
        failing = delivery().model_copy(update={"is_failing": True})
        await office.deliveries.begin(failing)
        assert (await office.handle().describe()).task_queue == FAILING_QUEUE
        await office.handle().terminate()
        await office.deliveries.again(delivery())
        assert await office.handle().result() == "delivered"

"""Callbacks are attempted at once, failed ones start in Temporal, and none is lost."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from activities.callback_dispatcher import ATTEMPTS_PER_RECEIVER, CallbackDispatcher, DispatchLimits
from adapters.database.engine import reading
from adapters.database.repositories import callback_outbox
from adapters.database.repositories.callback_outbox import CLAIMED_FOR
from adapters.database.tables.callbacks import CallbackRow
from adapters.webhooks.http_sender import HttpSender
from domain.callbacks.callback import CallbackStatus
from domain.callbacks.delivery_schedule import MAX_JITTER, RETRY_WAITS, Delivery
from domain.ports.database import DatabaseUnavailable
from tests.activities.office import Office, office
from tests.activities.test_callbacks import pause
from tests.builders import ORGANISATION
from tests.fakes.receivers import Receiver, hangs, receiving, says
from tests.workflows.waiting import eventually

LATER = timedelta(hours=1)
OFTEN = DispatchLimits(at_once=20, poll_seconds=0.01)


async def received(receiver: Receiver, count: int) -> None:
    """Returns once the receiver has so many."""

    async def look() -> int:
        return len(receiver.received)

    await eventually(look, lambda found: found >= count)


async def begun(made: Office, count: int) -> list[Delivery]:
    """The started deliveries, once there are `count`."""

    async def look() -> list[Delivery]:
        return made.begun.begun

    return await eventually(look, lambda found: len(found) >= count)


async def waiting_rows(made: Office) -> int:
    """The number of callbacks that are due or claimed."""
    wanted = select(func.count()).where(col(CallbackRow.begin_at).is_not(None))
    async with reading(made.outbox._engine) as connection:
        return (await connection.execute(wanted)).scalar_one()


async def due(made: Office, after: timedelta = LATER) -> set[str]:
    """The events that are due after that time."""
    at = datetime.now(UTC) + after
    found = [*await made.outbox.claim(at, 100), *await made.outbox.claim_failing(at, 100)]
    return {delivery.event_id for delivery, _ in found}


async def test_a_session_waits_for_no_receiver_and_retries_outlive_a_worker(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        assert receiver.received == []
        assert await made.outbox.claim(datetime.now(UTC), 1)
        await made.delivering.attempt_first(made.delivery)
        assert await due(made, CLAIMED_FOR) == {made.delivery.event_id}


async def test_a_notified_callback_is_attempted_at_once_without_a_run(tmp_path: Path) -> None:
    async with office(tmp_path, says(204), poll_seconds=3600) as (made, receiver):
        async with made.announcer.running():
            await received(receiver, 1)
            await made.announce_another()
            await received(receiver, 2)
        assert made.begun.begun == []
        assert await made.status() is CallbackStatus.DELIVERED
        assert await due(made) == set()


async def test_callbacks_of_another_process_are_attempted_too(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver), made.new_announcer().running():
        await received(receiver, 1)
        await made.announce_another()  # to `made.announcer`, which does not run
        await received(receiver, 2)


async def test_a_first_try_that_fails_is_followed_by_a_delivery_that_waits(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, receiver), made.announcer.running():
        assert await begun(made, 1) == [made.delivery.model_copy(update={"is_failing": True})]
        assert RETRY_WAITS[0] <= made.begun.waits[0] <= RETRY_WAITS[0] * (1 + MAX_JITTER)
        assert len(receiver.received) == 1


async def test_a_receiver_that_is_gone_has_no_run(tmp_path: Path) -> None:
    async with office(tmp_path, says(410)) as (made, receiver):
        async with made.announcer.running():
            await received(receiver, 1)
        assert made.begun.begun == []
        assert await made.status() is CallbackStatus.FAILED
        assert await due(made) == set()


async def test_without_temporal_callbacks_are_delivered_and_no_retry_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path, says(204)) as (made, receiver), receiving(says(500)) as dead:
        made.begun.is_down = True
        waiting = await made.announce_another("To a dead receiver", dead.url)
        async with made.announcer.running():
            await received(receiver, 1)
            await eventually(partial(refusals, made), bool)

        made.begun.is_down = False
        monkeypatch.setattr(callback_outbox, "CLAIMED_FOR", -2 * LATER)  # half a minute has passed
        ((taken, _),) = await made.outbox.claim_failing(datetime.now(UTC) + LATER, 1)
        assert taken == waiting
        monkeypatch.undo()
        async with made.new_announcer().running():
            assert await begun(made, 1) == [waiting.model_copy(update={"is_failing": True})]
            await eventually(partial(waiting_rows, made), lambda count: count == 0)
        assert len(dead.received) == 1
        assert await due(made) == set()


async def test_a_receiver_that_recovered_meanwhile_is_not_tried_before_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        await made.delivering.attempt_first(made.delivery)
        receiver.answer = says(204)
        other = await made.announce_another()
        await made.delivering.attempt_first(other)
        async with made.announcer.running():
            assert [delivery.event_id for delivery in await begun(made, 1)] == [made.delivery.event_id]
            assert timedelta() < made.begun.waits[0] < RETRY_WAITS[0] * (1 + MAX_JITTER)
        assert len(receiver.received) == 2


async def test_a_delivery_that_cannot_start_delays_no_other(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, _):
        other = await made.announce_another()
        made.begun.refused = {made.callback.event_id}
        async with made.announcer.running():
            assert [delivery.event_id for delivery in await begun(made, 1)] == [other.event_id]
            await eventually(partial(refusals, made), bool)
        assert await due(made) == {made.callback.event_id}


async def test_a_database_that_was_away_stops_no_announcing(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        away = Away(made)
        async with CallbackDispatcher(away, made.begun, made.delivering, made.has_time, OFTEN).running():
            await eventually(away.count, lambda asked: asked > 2)
            away.is_away = False
            await received(receiver, 1)


class Away:
    """Implements `CallbackOutbox`, on a database that fails while it `is_away`."""

    def __init__(self, made: Office) -> None:
        self._made, self.asked, self.is_away = made, 0, True

    async def count(self) -> int:
        return self.asked

    def __getattr__(self, name: str) -> Any:
        self.asked += 1
        if self.is_away:
            raise DatabaseUnavailable("the database does not answer")
        return getattr(self._made.outbox, name)


async def test_a_receiver_that_hangs_has_a_few_tries_and_callbacks_that_wait_too_long_start_in_temporal(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, hangs, receiver_wait_seconds=0.01) as (made, dead), receiving(says(204)) as healthy:
        for number in range(3 * ATTEMPTS_PER_RECEIVER):
            await made.announce_another(f"Agreement {number}")
        async with made.announcer.running():
            await received(dead, ATTEMPTS_PER_RECEIVER)
            await made.announce_another("To a healthy receiver", healthy.url)
            await received(healthy, 1)
            assert (await begun(made, 1))[0].is_failing
            assert made.begun.waits[0] == timedelta()
            assert len(dead.received) == ATTEMPTS_PER_RECEIVER


async def test_a_burst_to_one_receiver_is_tried_whole_at_its_pace(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        for number in range(5 * ATTEMPTS_PER_RECEIVER):
            await made.announce_another(f"Agreement {number}")
        async with made.new_announcer(poll_seconds=3600, batch=ATTEMPTS_PER_RECEIVER + 1).running():
            await received(receiver, 1 + 5 * ATTEMPTS_PER_RECEIVER)
        assert made.begun.begun == []


async def test_no_more_tries_are_made_at_once_than_may_be(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        made, first = await stack.enter_async_context(office(tmp_path, hangs))
        others = [await stack.enter_async_context(receiving(hangs)) for _ in range(3)]
        for number, other in enumerate(others):
            await made.announce_another(f"Agreement {number}", other.url)
        made.delivering = replace(made.delivering, sender=HttpSender(private=True, try_seconds=0.2))
        reached = [first, *others]

        async def connected() -> int:
            return sum(receiver.connections for receiver in reached)

        announcer = made.new_announcer(at_once=2)
        async with announcer.running():
            await eventually(connected, lambda found: found == 2)
            assert len(announcer._tries) == 2
            await eventually(connected, lambda found: found == 4)


async def test_at_the_end_tries_that_are_under_way_end_and_nothing_new_begins(tmp_path: Path) -> None:
    go_on = asyncio.Event()

    async def late(writer: asyncio.StreamWriter) -> None:
        await go_on.wait()
        await says(204)(writer)

    async with office(tmp_path, late) as (made, receiver):
        async with made.announcer.running():
            await received(receiver, 1)
            made.announcer.stop()
            other = await made.announce_another()
            go_on.set()
        assert await made.status() is CallbackStatus.DELIVERED
        assert await due(made) == {other.event_id}


async def test_failing_receivers_wait_until_the_machine_has_time_and_the_others_do_not(tmp_path: Path) -> None:
    calm = asyncio.Event()

    async def has_time() -> bool:
        return await calm.wait()

    async with office(tmp_path, says(500)) as (made, dead), receiving(says(204)) as healthy:
        await made.delivering.attempt_first(made.delivery)
        waiting = await made.announce_another()
        await made.announce_another("To a healthy receiver", healthy.url)
        async with CallbackDispatcher(made.outbox, made.begun, made.delivering, has_time, OFTEN).running():
            await received(healthy, 1)
            assert made.begun.begun == []
            calm.set()
            assert waiting.event_id in {delivery.event_id for delivery in await begun(made, 2)}
        assert len(dead.received) == 1


async def test_a_callback_to_a_paused_receiver_is_held_without_a_run(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        await pause(made)
        held = await made.announce_another()
        async with made.announcer.running():
            await eventually(partial(waiting_rows, made), lambda left: left == 0)
        (logged,) = await made.callbacks.log(ORGANISATION, held.session_id)
        assert logged.paused_since is not None
        assert (made.begun.begun, receiver.received) == ([], [])
        assert len(made.warnings) == 2


async def refusals(made: Office) -> int:
    return made.begun.refusals

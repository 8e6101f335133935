"""Deliveries on a server, with real attempts and a receiver whose responses are listed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from temporalio import activity
from temporalio.api.enums.v1 import PendingActivityState
from temporalio.client import WorkflowHandle
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import CALLBACKS_QUEUE, FAILING_QUEUE
from domain.callbacks.delivery_schedule import Attempt, CallbackLogEntry, Delivery
from domain.ports.callbacks import BEFORE_RUNS, CallbackAttempt, Callbacks, CallbackSender
from domain.ports.database import DatabaseUnavailable
from domain.workflow_ids import callback_id
from tests.activities.office import Office, office
from tests.builders import ORGANISATION
from tests.fakes.receivers import says
from tests.workflows.servers import time_skipping_server
from workflows.callbacks import CallbackDeliveryWorkflow
from workflows.client.deliveries import TemporalDeliveries
from workflows.workflow_types import CALLBACK_WORKFLOWS


class OnServerTime:
    """Attempts at the time of the server, which runs ahead."""

    def __init__(self, sender: CallbackSender) -> None:
        self._sender = sender

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        attempt = await self._sender.send(url, headers, body)
        return attempt.model_copy(update={"at": activity.info().started_time})


class Listed:
    """Implements `Sender`. It `answers` with `statuses`, one after another, and then always 500."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.retry_after: timedelta | None = None
        self.sent: list[datetime] = []
        self.answers = asyncio.Event()
        self.answers.set()

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        status, at = self.statuses.pop(0) if self.statuses else 500, activity.info().started_time
        self.sent.append(at)
        await self.answers.wait()
        error = None if status < 300 else f"the receiver answered {status}"
        return Attempt(at=at, status_code=status, error=error, duration_ms=1, retry_after=self.retry_after)


class Post:
    def __init__(self, environment: WorkflowEnvironment, made: Office) -> None:
        self.environment, self.office = environment, made
        self.receiver = Listed()
        self.deliveries = TemporalDeliveries(environment.client)
        self.delivery = made.delivery
        self.database_failures = 0

    def handle(self, delivery: Delivery | None = None) -> WorkflowHandle[CallbackDeliveryWorkflow, str]:
        workflow_id = callback_id((delivery or self.delivery).event_id)
        return self.environment.client.get_workflow_handle_for(CallbackDeliveryWorkflow.run, workflow_id)

    async def ended(self, delivery: Delivery | None = None) -> str:
        """The result of the delivery after all its time has passed."""
        await self.environment.sleep(timedelta(days=5))
        return await self.handle(delivery).result()

    async def tries(self) -> int:
        return len(self.receiver.sent)

    async def waits_for_retry(self) -> bool:
        """Whether the delivery waits for its next attempt. The time-skipping server cannot tell."""
        pending = (await self.handle().describe()).raw_description.pending_activities
        waiting = PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
        return any(each.attempt > 1 and each.state == waiting for each in pending)

    async def first_try_failed(self, at: datetime, wait: timedelta) -> None:
        """Records that the first attempt failed at that time."""
        failed = Attempt(at=at, status_code=500, error="the receiver answered 500", duration_ms=1)
        await self.office.callbacks.record_attempt(CallbackAttempt(self.delivery, BEFORE_RUNS, 1, failed, wait))

    def waits(self) -> list[timedelta]:
        return [later - earlier for earlier, later in pairwise(self.receiver.sent)]

    async def logged(self) -> CallbackLogEntry:
        (found,) = await self.office.callbacks.log(ORGANISATION, self.delivery.session_id)
        return found


class Failing:
    """Callbacks on a database that fails `database_failures` times."""

    def __init__(self, post: Post) -> None:
        self._post = post

    def __getattr__(self, name: str) -> object:
        if self._post.database_failures:
            self._post.database_failures -= 1
            raise DatabaseUnavailable("the database does not answer")
        return getattr(self._post.office.callbacks, name)


@asynccontextmanager
async def post_on(environment: WorkflowEnvironment) -> AsyncIterator[Post]:
    with TemporaryDirectory() as folder:
        async with office(Path(folder), says(204)) as (made, _):
            post = Post(environment, made)
            callbacks = cast(Callbacks, Failing(post))
            delivering = replace(made.delivering, callbacks=callbacks, sender=post.receiver)
            activities = [delivering.deliver_callback, delivering.stop_callback]
            asked, failing = (
                Worker(environment.client, task_queue=queue, workflows=CALLBACK_WORKFLOWS, activities=activities)
                for queue in (CALLBACKS_QUEUE, FAILING_QUEUE)
            )
            async with asked, failing:
                yield post


@asynccontextmanager
async def post() -> AsyncIterator[Post]:
    """Deliveries on a server whose time can be skipped."""
    async with time_skipping_server() as environment, post_on(environment) as made:
        yield made

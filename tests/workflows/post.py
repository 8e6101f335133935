"""Deliveries on a server whose time can be skipped, with a fake that tries them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise

from temporalio.client import WorkflowHandle
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import CALLBACKS_QUEUE, DeliveryOutcome, DeliveryState
from domain.callbacks import event_id
from domain.deliveries import Delivery
from domain.workflow_ids import callback_id
from tests.builders import ORGANISATION, created
from tests.fakes.effects import FakeEffects
from tests.workflows.servers import time_skipping_server
from workflows.callback_delivery import CallbackDeliveryWorkflow
from workflows.deliveries import TemporalDeliveries
from workflows.registry import DELIVERIES

SESSION = created().session.session_id
DELIVERED = DeliveryOutcome(state=DeliveryState.DELIVERED)


def delivery(number: int = 1) -> Delivery:
    return Delivery(
        organisation_id=ORGANISATION,
        session_id=SESSION,
        event_id=event_id(SESSION, number),
        receiver="https://hooks.example.com:443",
    )


class Post:
    """Deliveries that fake effects try."""

    def __init__(self, environment: WorkflowEnvironment) -> None:
        self.environment = environment
        self.effects = FakeEffects()
        self.deliveries = TemporalDeliveries(environment.client)

    def handle(self, number: int = 1) -> WorkflowHandle[CallbackDeliveryWorkflow, str]:
        return self.environment.client.get_workflow_handle_for(
            CallbackDeliveryWorkflow.run, callback_id(event_id(SESSION, number))
        )

    async def ended(self, number: int = 1) -> str:
        """What the delivery ended with, when all the time that it may take has passed."""
        await self.environment.sleep(timedelta(days=5))
        return await self.handle(number).result()

    async def tried(self) -> int:
        return len(self.effects.tries)

    def waits(self) -> list[timedelta]:
        times = [at for at, _ in self.effects.tries]
        return [later - earlier for earlier, later in pairwise(times)]


@asynccontextmanager
async def post() -> AsyncIterator[Post]:
    async with time_skipping_server() as environment:
        post = Post(environment)
        async with Worker(
            environment.client,
            task_queue=CALLBACKS_QUEUE,
            workflows=DELIVERIES,
            activities=[post.effects.deliver_callback],
        ):
            yield post


def outcome(wait: timedelta) -> DeliveryOutcome:
    return DeliveryOutcome(state=DeliveryState.WAITING, wait=wait)

"""Which task queues have workers: asked of Temporal, which remembers for five minutes who has polled."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.errors import Unavailable
from workflows.choice import TemporalChoice
from workflows.connection import connect

QUEUES = (SESSIONS_QUEUE, DOCUMENTS_QUEUE, CALLBACKS_QUEUE, FAILING_QUEUE)

ASK_TIMEOUT = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Polled:
    """How many workers polled a queue for activities in the last five minutes, and when one of them last began to."""

    workers: int
    last: datetime | None = None


class Queues(Protocol):
    """The task queues of a namespace."""

    async def workers(self, queue: str) -> int:
        """How many workers poll it for activities; raises `Unavailable` when Temporal does not answer."""
        ...


class TemporalQueues:
    """Keeps `Queues`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def workers(self, queue: str) -> int:
        return (await self.polled(queue)).workers

    async def polled(self, queue: str) -> Polled:
        """Who polls it for activities; raises `Unavailable` when Temporal does not answer."""
        request = DescribeTaskQueueRequest(
            namespace=self._client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        )
        try:
            answer = await self._client.workflow_service.describe_task_queue(request, timeout=ASK_TIMEOUT)
        except (RPCError, RuntimeError) as error:  # RuntimeError: of a lazy client, when nothing listens
            raise Unavailable from error
        times = [poller.last_access_time.ToDatetime(UTC) for poller in answer.pollers]
        return Polled(len({poller.identity for poller in answer.pollers}), max(times, default=None))


async def connect_queues(choice: TemporalChoice) -> Queues:
    """The queues of a namespace. Temporal need not be up yet: until it is, calls raise `Unavailable`."""
    return TemporalQueues(await connect(choice, lazy=True))

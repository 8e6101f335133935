"""Reads the workers of each task queue from Temporal, which remembers pollers for five minutes."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import TaskQueueType, WorkerVersioningMode
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.shared.errors import Unavailable
from ports.temporal import PollerStatus, TaskQueues
from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect

QUEUES = (SESSIONS_QUEUE, DOCUMENTS_QUEUE, CALLBACKS_QUEUE, FAILING_QUEUE)

ASK_TIMEOUT = timedelta(seconds=2)

SILENT = timedelta(seconds=90)
"""A running worker polls again after a minute without tasks."""


class TemporalTaskQueues:
    """Implements `TaskQueues`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def poller_status(self, queue: str) -> PollerStatus:
        request = DescribeTaskQueueRequest(
            namespace=self._client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        )
        try:
            answer = await self._client.workflow_service.describe_task_queue(request, timeout=ASK_TIMEOUT)
        except (RPCError, RuntimeError) as error:  # RuntimeError: of a lazy client, when nothing listens
            raise Unavailable from error
        current = answer.versioning_info.current_deployment_version
        pollers = alive(answer.pollers)
        working = [poller for poller in pollers if _version_of(poller) == (current.deployment_name, current.build_id)]
        times = [_polled_at(poller) for poller in working]
        workers = {poller.identity for poller in working}
        return PollerStatus(
            workers=len(workers),
            last=max(times, default=None),
            others=len({poller.identity for poller in pollers} - workers),
            current=f"{current.deployment_name}.{current.build_id}" if current.build_id else None,
        )


def alive(pollers: Sequence[PollerInfo]) -> list[PollerInfo]:
    """Returns the pollers that polled within `SILENT` of the last poll, by Temporal's own clock."""
    latest = max(map(_polled_at, pollers), default=None)
    return [poller for poller in pollers if latest and latest - _polled_at(poller) <= SILENT]


def _polled_at(poller: PollerInfo) -> datetime:
    return poller.last_access_time.ToDatetime(UTC)


def _version_of(poller: PollerInfo) -> tuple[str, str]:
    """Deployment and build of a worker; empty for one without worker versioning."""
    options = poller.deployment_options
    if options.worker_versioning_mode != WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED:
        return "", ""
    return options.deployment_name, options.build_id


async def connect_queues(choice: TemporalConfig) -> TaskQueues:
    """The queues of a namespace. Temporal need not be up yet: until it is, calls raise `Unavailable`."""
    return TemporalTaskQueues(await connect(choice, lazy=True))

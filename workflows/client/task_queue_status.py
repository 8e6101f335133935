"""Which task queues have workers: asked of Temporal, which remembers for five minutes who has polled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from temporalio.api.enums.v1 import TaskQueueType, WorkerVersioningMode
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from activities.interface import CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.shared.errors import Unavailable
from workflows.sdk.config import TemporalChoice
from workflows.sdk.connection import connect

QUEUES = (SESSIONS_QUEUE, DOCUMENTS_QUEUE, CALLBACKS_QUEUE, FAILING_QUEUE)

ASK_TIMEOUT = timedelta(seconds=2)

SILENT = timedelta(seconds=90)
"""A worker that lives asks again after a minute in which there was nothing for it."""


@dataclass(frozen=True, slots=True)
class Polled:
    """The workers that polled a queue for activities in the last five minutes, without those that were silent for the
    last `SILENT` of them while another one polled.

    `workers` counts those that get tasks: of the current version of the worker deployment (`current`), or without a
    version where none is current. `others` counts the rest. `last` is when one of `workers` last began to poll.
    """

    workers: int
    last: datetime | None = None
    others: int = 0
    current: str | None = None

    @property
    def problem(self) -> str | None:
        """Why nobody works on the queue, with what to do; None if somebody does."""
        if self.workers:
            return None
        if not self.others:
            return "No worker polls this queue: start one (python -m worker), or see in its log why it does not."
        wanted = f"version {self.current}" if self.current else "no version, as none is current"
        return (
            f"{self.others} workers poll this queue and get no tasks, as Temporal gives them to workers of {wanted}. "
            "Start such workers, or run `temporal worker deployment set-current-version` (--unversioned for workers "
            "without a version)."
        )


class Queues(Protocol):
    """The task queues of a namespace."""

    async def polled(self, queue: str) -> Polled:
        """Who polls it for activities; raises `Unavailable` when Temporal does not answer."""
        ...


class TemporalQueues:
    """Keeps `Queues`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def polled(self, queue: str) -> Polled:
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
        return Polled(
            workers=len(workers),
            last=max(times, default=None),
            others=len({poller.identity for poller in pollers} - workers),
            current=f"{current.deployment_name}.{current.build_id}" if current.build_id else None,
        )


def alive(pollers: Sequence[PollerInfo]) -> list[PollerInfo]:
    """Those that polled about when the last one did. By Temporal's own clock, which may differ from ours."""
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


async def connect_queues(choice: TemporalChoice) -> Queues:
    """The queues of a namespace. Temporal need not be up yet: until it is, calls raise `Unavailable`."""
    return TemporalQueues(await connect(choice, lazy=True))

"""Checks the Temporal server, its namespace and the workers of each task queue."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol

import structlog
from temporalio.api.enums.v1 import IndexedValueType, TaskQueueType, WorkerVersioningMode
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest, DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from activities.interface import BATCHES_QUEUE, CALLBACKS_QUEUE, DOCUMENTS_QUEUE, FAILING_QUEUE, SESSIONS_QUEUE
from domain.ports.temporal import NotRunning, PollerStatus, TaskQueues
from domain.shared.errors import Unavailable
from workflows.client.histories import latest_session, read_history_backwards
from workflows.client.rpc_errors import cause_of, rpc_status_name, to_unavailable
from workflows.sdk.connection import connect, connect_config, is_encrypted
from workflows.sdk.payload_codec import PayloadUnreadable
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.session.ui_details import SEARCH_ATTRIBUTES

log = structlog.get_logger(__name__)

QUEUES = (SESSIONS_QUEUE, DOCUMENTS_QUEUE, BATCHES_QUEUE, CALLBACKS_QUEUE, FAILING_QUEUE)

CHECK_TIMEOUT = timedelta(seconds=5)
QUEUE_TIMEOUT = timedelta(seconds=2)

WATCH_EVERY = timedelta(seconds=5)

SILENT = timedelta(seconds=90)
"""Time since its last poll after which a worker counts as stopped.

A running worker polls at least once a minute. Temporal lists pollers for five minutes.
"""

_NOT_OURS = {RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED}
"""Responses of Temporal Cloud, where namespaces are configured by other means."""


_FAILING = "ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL"

_AWAY = (
    "Check that the Temporal server at UNDERSIGN_TEMPORAL_ADDRESS runs and is reachable; for TLS or a key, see docs."
)
_NAMESPACE = (
    "Set UNDERSIGN_TEMPORAL_NAMESPACE, or make it: temporal operator namespace create --retention 168h --namespace"
)
_NO_TLS = "InvalidMessage"
"""What the TLS library says of an answer that is not TLS."""

_REFUSED = (
    "Temporal's log says why. UNAUTHENTICATED and PERMISSION_DENIED: let the API key or the certificate be a valid one "
    "that may work in the namespace."
)


class TemporalUnusable(Exception):
    """Temporal cannot be used with these settings. `problem` is the cause, `advice` the remedy."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(f"{problem} {advice}")
        self.problem, self.advice = problem, advice


@dataclass(frozen=True, slots=True)
class NamespaceStatus:
    """The status of a namespace. `workers` holds the pollers of each task queue.

    `unreadable` is the reason why the newest running session cannot be decrypted; None if it can be decrypted, or if no
    session is running.
    """

    namespace: str
    missing_attributes: tuple[str, ...]
    workers: Mapping[str, PollerStatus]
    is_encrypted: bool
    unreadable: str | None


async def check_namespace(choice: TemporalConfig) -> NamespaceStatus:
    """Returns the status of the namespace. Raises `TemporalUnusable` or `ConfigError`."""
    try:
        client = await connect(choice)
        namespace = await read_namespace(client)
        listed = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace), timeout=CHECK_TIMEOUT
        )
    except (RPCError, RuntimeError) as error:
        raise to_temporal_unusable(error, choice) from error
    queues = TemporalTaskQueues(client)
    return NamespaceStatus(
        namespace=namespace,
        missing_attributes=tuple(key.name for key in SEARCH_ATTRIBUTES if key.name not in listed.custom_attributes),
        workers={queue: await queues.poller_status(queue) for queue in QUEUES},
        is_encrypted=is_encrypted(client),
        unreadable=await _unreadable(client),
    )


async def read_namespace(client: Client) -> str:
    """Returns name and id of the namespace. The id tells it from one of the same name on another server.

    Raises `RPCError`, or `RuntimeError` if a lazy client cannot connect.
    """
    request = DescribeNamespaceRequest(namespace=client.namespace)
    described = await client.workflow_service.describe_namespace(request, timeout=CHECK_TIMEOUT)
    return f"{described.namespace_info.name} ({described.namespace_info.id})"


class NamespaceReader:
    """Reads the namespace of a lazy client once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._namespace: str | None = None

    async def __call__(self) -> str | None:
        """Returns what `read_namespace` does; None while Temporal does not answer."""
        if self._namespace is None:
            # The next call asks again.
            with suppress(RPCError, RuntimeError):
                self._namespace = await read_namespace(self._client)
        return self._namespace


class Outage(Protocol):
    """Logs the start and the end of an outage."""

    def add_failure(self, reason: str) -> None: ...

    def add_success(self) -> None: ...


async def watch_namespace(client: Client, choice: TemporalConfig, outage: Outage) -> int:
    """Adds a success or a failure to `outage`. Returns 0, for `run_periodically`."""
    try:
        await read_namespace(client)
    except (RPCError, RuntimeError) as error:
        outage.add_failure(to_temporal_unusable(error, choice).problem)
    else:
        outage.add_success()
    return 0


async def connect_watch(choice: TemporalConfig, outage: Outage) -> Callable[[], Awaitable[int]]:
    """Returns `watch_namespace` with a client of its own, which connects when Temporal responds."""
    return partial(watch_namespace, await connect(choice, lazy=True), choice, outage)


async def connect_namespace(choice: TemporalConfig) -> NamespaceReader:
    return NamespaceReader(await connect(choice, lazy=True))


async def _unreadable(client: Client) -> str | None:
    running = client.list_workflows("WorkflowType = 'SigningSession' AND ExecutionStatus = 'Running'", page_size=1)
    try:
        newest = await anext(running, None)
        if newest is not None:
            await latest_session(read_history_backwards(client, newest.id), client.data_converter)
    except PayloadUnreadable as error:
        return str(error)
    except (RPCError, NotRunning):  # it ended meanwhile
        return None
    return None


def to_temporal_unusable(error: RPCError | RuntimeError, choice: TemporalConfig) -> TemporalUnusable:
    """Maps the error of a call, or of its connection, to a problem with advice."""
    config = connect_config(choice)
    address, namespace = config["target_host"], config["namespace"]
    if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
        return TemporalUnusable(f"Temporal at {address} has no namespace {namespace}.", f"{_NAMESPACE} {namespace}")
    if status := rpc_status_name(error):
        return TemporalUnusable(f"Temporal at {address} refused the call ({status}).", _REFUSED)
    reason = cause_of(error)
    if reason == _NO_TLS and config.get("tls"):
        reason = "the server does not use TLS at this port"
    return TemporalUnusable(f"Temporal does not answer at {address}{f' ({reason})' if reason else ''}.", _AWAY)


async def ensure_search_attributes(client: Client) -> None:
    """Registers the search attributes in the namespace; existing ones stay unchanged."""
    request = AddSearchAttributesRequest(
        search_attributes={key.name: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD for key in SEARCH_ATTRIBUTES},
        namespace=client.namespace,
    )
    try:
        await client.operator_service.add_search_attributes(request)
    except RPCError as error:
        if error.status in _NOT_OURS:
            log.warning(
                "search attributes cannot be registered here; add them to the namespace as keywords",
                names=[key.name for key in SEARCH_ATTRIBUTES],
            )
        elif error.status is not RPCStatusCode.ALREADY_EXISTS:
            raise


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
            answer = await self._client.workflow_service.describe_task_queue(request, timeout=QUEUE_TIMEOUT)
        except (RPCError, RuntimeError) as error:  # RuntimeError: a lazy client cannot connect
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

    async def failing_runs(self, limit: int) -> list[str]:
        """Returns the ids of at most `limit` runs whose workflow tasks fail repeatedly; none if Temporal cannot say.

        A server before 1.30 does not report them. Raises `Unavailable`.
        """
        found = self._client.list_workflows(_FAILING, limit=limit)
        try:
            return [run.id async for run in found]
        except (RPCError, RuntimeError) as error:  # RuntimeError: a lazy client cannot connect
            if isinstance(error, RPCError) and error.status is RPCStatusCode.INVALID_ARGUMENT:
                return []
            raise to_unavailable(error) from error


def alive(pollers: Sequence[PollerInfo]) -> list[PollerInfo]:
    """Returns the pollers that polled at most `SILENT` before the latest poll, by Temporal's own clock."""
    latest = max(map(_polled_at, pollers), default=None)
    return [poller for poller in pollers if latest and latest - _polled_at(poller) <= SILENT]


def _polled_at(poller: PollerInfo) -> datetime:
    return poller.last_access_time.ToDatetime(UTC)


def _version_of(poller: PollerInfo) -> tuple[str, str]:
    """Returns deployment and build of a worker; empty for one without worker versioning."""
    options = poller.deployment_options
    if options.worker_versioning_mode != WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED:
        return "", ""
    return options.deployment_name, options.build_id


async def connect_queues(choice: TemporalConfig) -> TaskQueues:
    """Returns the queues of a namespace. While Temporal does not respond, calls raise `Unavailable`."""
    return TemporalTaskQueues(await connect(choice, lazy=True))

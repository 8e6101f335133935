"""Checks the Temporal server and its namespace."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from ports.temporal import NotRunning, PollerStatus
from workflows.client.history_reader import latest_session, read_history_backwards
from workflows.client.rpc_errors import cause_of, rpc_status_name
from workflows.client.task_queue_status import QUEUES, TemporalTaskQueues
from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect, connect_config, is_encrypted
from workflows.sdk.payload_codec import PayloadUnreadable
from workflows.session import search_attributes

ASK_TIMEOUT = timedelta(seconds=5)

_AWAY = "Let the Temporal server at UNDERSIGN_TEMPORAL_ADDRESS run and be reached; with TLS or a key, see docs."
_NAMESPACE = "Make it, or set UNDERSIGN_TEMPORAL_NAMESPACE."
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
    """`workers` holds the pollers of each task queue. `unreadable` is why the newest running session cannot be
    decrypted; None if it can, or if no session is running.
    """

    namespace: str
    missing_attributes: tuple[str, ...]
    workers: Mapping[str, PollerStatus]
    is_encrypted: bool
    unreadable: str | None


async def check_namespace(choice: TemporalConfig) -> NamespaceStatus:
    """Returns the status of the namespace. Changes nothing.

    Raises:
        TemporalUnusable: it does not answer, refuses, or has no such namespace.
        ConfigError: Temporal's own configuration makes no sense.
    """
    try:
        client = await connect(choice)
        await client.workflow_service.describe_namespace(
            DescribeNamespaceRequest(namespace=client.namespace), timeout=ASK_TIMEOUT
        )
        listed = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace), timeout=ASK_TIMEOUT
        )
    except (RPCError, RuntimeError) as error:
        raise to_temporal_unusable(error, choice) from error
    queues = TemporalTaskQueues(client)
    return NamespaceStatus(
        namespace=client.namespace,
        missing_attributes=tuple(key.name for key in search_attributes.ALL if key.name not in listed.custom_attributes),
        workers={queue: await queues.poller_status(queue) for queue in QUEUES},
        is_encrypted=is_encrypted(client),
        unreadable=await _unreadable(client),
    )


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
        return TemporalUnusable(f"Temporal at {address} has no namespace {namespace}.", _NAMESPACE)
    if status := rpc_status_name(error):
        return TemporalUnusable(f"Temporal at {address} answers, and refuses ({status}).", _REFUSED)
    reason = cause_of(error)
    return TemporalUnusable(f"Temporal does not answer at {address}{f' ({reason})' if reason else ''}.", _AWAY)

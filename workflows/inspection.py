"""What an operator wants to know of a Temporal server before anything depends on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.service import RPCError, RPCStatusCode

from domain.errors import Unavailable
from workflows import search_attributes
from workflows.answers import refusal
from workflows.choice import TemporalChoice
from workflows.connection import connect, is_encrypted
from workflows.polling import QUEUES, Polled, TemporalQueues

ASK_TIMEOUT = timedelta(seconds=5)


class NoNamespace(Exception):
    """Temporal answers, and has no such namespace."""


class Refused(Exception):
    """Temporal answers, and refuses. The message is the name of the gRPC status."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """`workers` has who polls each task queue."""

    namespace: str
    missing_attributes: tuple[str, ...]
    workers: Mapping[str, Polled]
    is_encrypted: bool


async def inspect_temporal(choice: TemporalChoice) -> Inspection:
    """How the namespace stands; nothing is changed.

    Raises:
        NoNamespace: there is none of that name.
        Refused: Temporal answers, and does not let in or does not do it.
        Unavailable: Temporal does not answer.
        Misconfigured: Temporal's own configuration makes no sense.
    """
    try:
        client = await connect(choice)
        await client.workflow_service.describe_namespace(
            DescribeNamespaceRequest(namespace=client.namespace), timeout=ASK_TIMEOUT
        )
        listed = await client.operator_service.list_search_attributes(
            ListSearchAttributesRequest(namespace=client.namespace), timeout=ASK_TIMEOUT
        )
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise NoNamespace from error
        raise _failed(error) from error
    except RuntimeError as error:  # nothing listens there, or nobody is let in
        raise _failed(error) from error
    queues = TemporalQueues(client)
    return Inspection(
        namespace=client.namespace,
        missing_attributes=tuple(key.name for key in search_attributes.ALL if key.name not in listed.custom_attributes),
        workers={queue: await queues.polled(queue) for queue in QUEUES},
        is_encrypted=is_encrypted(client),
    )


def _failed(error: RPCError | RuntimeError) -> Exception:
    status = refusal(error)
    return Refused(status) if status else Unavailable()

"""Whether this version's workflow code can go on with the workflows that earlier code began."""

import re
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from temporalio.client import Client, WorkflowHistory
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Replayer

from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect, converter
from workflows.sdk.payload_keys import PayloadKey
from workflows.sdk.safe_updates import SafeUpdates
from workflows.workflow_types import DELIVERIES, TYPES, WORKFLOWS


class Broken(NamedTuple):
    """A workflow that this code would not go on with, and why in one line."""

    workflow_id: str
    reason: str


class Replayed(NamedTuple):
    """How many were replayed, and those of them that failed."""

    total: int
    broken: tuple[Broken, ...]


class Unreachable(Exception):
    """Temporal does not answer at that address."""


def replayer(keys: Sequence[PayloadKey] = ()) -> Replayer:
    """Replays histories against the code of this version; `keys` decrypt what is encrypted in them."""
    return Replayer(workflows=[*WORKFLOWS, *DELIVERIES], data_converter=converter(keys), interceptors=[SafeUpdates()])


async def replay_running(choice: TemporalConfig, limit: int) -> Replayed:
    """Replays the running workflows of the namespace, the newest first, at most `limit`. Changes nothing.

    Raises:
        Unreachable: Temporal does not answer.
    """
    try:
        client = await connect(choice)
        return await _replay(_running(client, limit), choice.payload_keys)
    except (RPCError, RuntimeError) as error:
        raise Unreachable(str(error)) from error


async def _running(client: Client, limit: int) -> AsyncIterator[WorkflowHistory]:
    ours = " OR ".join(f"WorkflowType = '{name}'" for name in TYPES)
    async for run in client.list_workflows(f"ExecutionStatus = 'Running' AND ({ours})", limit=limit):
        try:
            yield await client.get_workflow_handle(run.id, run_id=run.run_id).fetch_history()
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # it was erased meanwhile
                raise


async def _replay(histories: AsyncIterator[WorkflowHistory], keys: Sequence[PayloadKey]) -> Replayed:
    total, broken = 0, []
    async with replayer(keys).workflow_replay_iterator(histories) as results:
        async for result in results:
            total += 1
            if result.replay_failure is not None:
                broken.append(Broken(result.history.workflow_id, in_one_line(result.replay_failure)))
    return Replayed(total, tuple(broken))


def in_one_line(failure: Exception) -> str:
    """What matters of a failure, whose text is that of several libraries."""
    found = re.search(r'message: "(.*?)"[,}]', str(failure))
    return " ".join((found.group(1) if found else str(failure)).split())[:300]

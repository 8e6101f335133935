"""Whether this version's workflow code can go on with the workflows that earlier code began."""

import re
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from temporalio.client import Client, WorkflowHistory
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Replayer

from workflows.sdk.config import TemporalConfig
from workflows.sdk.connection import connect, data_converter
from workflows.sdk.payload_keys import PayloadKey
from workflows.sdk.safe_updates import SafeUpdates
from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOW_TYPES, WORKFLOWS


class ReplayFailure(NamedTuple):
    """A workflow that this code would not go on with, and why in one line."""

    workflow_id: str
    reason: str


class ReplayReport(NamedTuple):
    """How many were replayed, and those of them that failed."""

    total: int
    broken: tuple[ReplayFailure, ...]


class TemporalUnreachable(Exception):
    """Temporal does not answer at that address."""


def replayer(keys: Sequence[PayloadKey] = ()) -> Replayer:
    """Replays histories against the code of this version; `keys` decrypt what is encrypted in them."""
    return Replayer(
        workflows=[*WORKFLOWS, *CALLBACK_WORKFLOWS], data_converter=data_converter(keys), interceptors=[SafeUpdates()]
    )


async def replay_running(choice: TemporalConfig, limit: int) -> ReplayReport:
    """Replays the running workflows of the namespace, the newest first, at most `limit`. Changes nothing.

    Raises:
        TemporalUnreachable: Temporal does not answer.
    """
    try:
        client = await connect(choice)
        return await _replay(_running(client, limit), choice.payload_keys)
    except (RPCError, RuntimeError) as error:
        raise TemporalUnreachable(str(error)) from error


async def _running(client: Client, limit: int) -> AsyncIterator[WorkflowHistory]:
    ours = " OR ".join(f"WorkflowType = '{name}'" for name in WORKFLOW_TYPES)
    async for run in client.list_workflows(f"ExecutionStatus = 'Running' AND ({ours})", limit=limit):
        try:
            yield await client.get_workflow_handle(run.id, run_id=run.run_id).fetch_history()
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # it was erased meanwhile
                raise


async def _replay(histories: AsyncIterator[WorkflowHistory], keys: Sequence[PayloadKey]) -> ReplayReport:
    total, broken = 0, []
    async with replayer(keys).workflow_replay_iterator(histories) as results:
        async for result in results:
            total += 1
            if result.replay_failure is not None:
                broken.append(ReplayFailure(result.history.workflow_id, short_message(result.replay_failure)))
    return ReplayReport(total, tuple(broken))


def short_message(failure: Exception) -> str:
    """What matters of a failure, whose text is that of several libraries."""
    found = re.search(r'message: "(.*?)"[,}]', str(failure))
    return " ".join((found.group(1) if found else str(failure)).split())[:300]

"""Replays running workflows against the workflow code of this version, before it is deployed."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import structlog
from temporalio.client import Client, WorkflowHistory
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Replayer

from domain.ports.temporal import TaskQueues
from domain.shared.errors import ConfigError, Unavailable
from workflows.sdk.connection import connect, data_converter
from workflows.sdk.interceptors import SafeUpdates
from workflows.sdk.payload_codec import EncryptionCodec, PayloadUnreadable
from workflows.sdk.payload_keys_setting import PLAIN, PayloadKey
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOW_TYPES, WORKFLOWS

log = structlog.get_logger(__name__)

_REPLAYED_AT_START = 100
_REPLAY_SECONDS = 60.0
_MAX_NAMED = 10


class ReplayFailure(NamedTuple):
    """A workflow whose replay failed, with the reason in one line.

    `is_unreadable`: its payloads cannot be decrypted, which another version could not do either.
    """

    workflow_id: str
    reason: str
    is_unreadable: bool = False


class ReplayReport(NamedTuple):
    """The number of replayed workflows, and the failures."""

    total: int
    broken: tuple[ReplayFailure, ...]


class TemporalUnreachable(Exception):
    pass


def replayer(keys: Sequence[PayloadKey] = ()) -> Replayer:
    """Returns a replayer with the code of this version. `keys` decrypt payloads in histories."""
    return Replayer(
        workflows=[*WORKFLOWS, *CALLBACK_WORKFLOWS], data_converter=data_converter(keys), interceptors=[SafeUpdates()]
    )


async def replay_running(choice: TemporalConfig, limit: int) -> ReplayReport:
    """Replays the running workflows, the newest first, at most `limit`. Raises `TemporalUnreachable`."""
    try:
        client = await connect(choice)
        return await _replay(_running(client, limit), choice.payload_keys)
    except (RPCError, RuntimeError) as error:
        raise TemporalUnreachable(str(error)) from error


async def check_version(choice: TemporalConfig, queues: TaskQueues) -> None:
    """Replays the newest running workflows. Raises `ConfigError` if this version cannot continue one of them.

    Runs that fail already, under the version that runs now, do not stop the start of a worker that may mend others.
    """
    try:
        async with asyncio.timeout(_REPLAY_SECONDS):
            report = await replay_running(choice, _REPLAYED_AT_START)
            failing = {*await queues.failing_runs(_REPLAYED_AT_START)}
    except (TimeoutError, TemporalUnreachable, Unavailable) as error:
        log.warning("running workflows could not be replayed", reason=str(error) or type(error).__name__)
        return
    lines = [
        f"{failure.workflow_id}: {failure.reason}"
        for failure in report.broken
        if not failure.is_unreadable and failure.workflow_id not in failing
    ]
    if lines:
        raise ConfigError(
            *lines[:_MAX_NAMED],
            f"This version cannot continue {len(lines)} of the {report.total} newest running workflows, so it does not "
            "start. Keep the earlier code behind workflow.patched (docs/workflow-changes.md), or start the earlier "
            "version. UNDERSIGN_REPLAY_AT_START=false starts it all the same.",
        )


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

    async def readable() -> AsyncIterator[WorkflowHistory]:
        nonlocal total
        codec = EncryptionCodec(keys or (PLAIN,))
        async for history in histories:
            started = history.events[0].workflow_execution_started_event_attributes
            try:
                await codec.decode(started.input.payloads)
            except PayloadUnreadable as error:
                total += 1
                broken.append(ReplayFailure(history.workflow_id, str(error), is_unreadable=True))
            else:
                yield history

    async with replayer(keys).workflow_replay_iterator(readable()) as results:
        async for result in results:
            total += 1
            if result.replay_failure is not None:
                broken.append(ReplayFailure(result.history.workflow_id, short_message(result.replay_failure)))
    return ReplayReport(total, tuple(broken))


def short_message(failure: Exception) -> str:
    found = re.search(r'message: "(.*?)"[,}]', str(failure))
    return " ".join((found.group(1) if found else str(failure)).split())[:300]

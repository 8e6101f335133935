"""Cancellation requests: a session is archived, other runs continue, and the details show it."""

import asyncio
from typing import Any

from temporalio.api.enums.v1 import EventType
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import WorkflowHandle
from temporalio.worker import Replayer

from domain.audit.events import ActorKind
from domain.audit.events import EventType as EventKind
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.workflow_ids import erasure_id, session_workflow_id
from tests.builders import recipient
from tests.workflows.acts import ACT, RESTORE, signed_by
from tests.workflows.stage import Stage, history, receipt_of, result_of, seen
from tests.workflows.waiting import eventually
from workflows.sdk.connection import data_converter
from workflows.session.ignore_cancellation import CANCELLATION_IGNORED
from workflows.workflow_types import WORKFLOWS

CANCELLATION = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED

Handle = WorkflowHandle[Any, Any]


async def ask_for_cancellation(handle: Handle) -> None:
    """Returns when the run has processed the request."""
    await handle.cancel()
    await eventually(lambda: is_told(handle), bool)


async def is_told(handle: Handle) -> bool:
    kinds = [event.event_type async for event in handle.fetch_history_events()]
    return CANCELLATION in kinds and EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED in kinds[kinds.index(CANCELLATION) :]


async def test_a_session_is_archived_and_can_be_restored(stage: Stage, session: Session) -> None:
    handle = stage.client.get_workflow_handle(session_workflow_id(session.session_id))

    await ask_for_cancellation(handle)

    archived = await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.CANCELLED)
    [event] = [event for event in await history(stage, session) if event.type is EventKind.SESSION_ARCHIVED]
    assert (archived.previous_status, event.actor.kind) == (SessionStatus.PENDING, ActorKind.SYSTEM)
    assert "asked Temporal to cancel this run" in await details_of(handle)
    await stage.sessions.act(session, RESTORE)
    assert "asked Temporal to cancel this run" not in await details_of(handle)
    await stage.sessions.act(session, signed_by("ada"))
    assert (await result_of(stage, session)).status is SessionStatus.COMPLETED_AND_GENERATED
    await Replayer(workflows=WORKFLOWS, data_converter=data_converter(())).replay_workflow(await handle.fetch_history())


async def test_a_session_that_is_archived_stays_so(stage: Stage, session: Session) -> None:
    archived = await stage.sessions.act(session, ACT)
    handle = stage.client.get_workflow_handle(session_workflow_id(session.session_id))

    await ask_for_cancellation(handle)

    assert "asked Temporal to cancel this run" in await details_of(handle)
    assert (await seen(stage, session)).status is SessionStatus.CANCELLED
    assert (await stage.sessions.act(session, RESTORE)).sequence == archived.sequence + 1


async def test_an_erasure_ignores_cancellation(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await stage.send(recipient("ada"))
    stage.effects.held["erase_objects"] = asyncio.Event()
    await stage.sessions.erase(session, ACT)
    await eventually(lambda: begun(stage, "erase_objects"), bool)
    handle = stage.client.get_workflow_handle(erasure_id(session.session_id))
    await ask_for_cancellation(handle)
    assert CANCELLATION_IGNORED in await details_of(handle)
    stage.effects.held.pop("erase_objects").set()

    assert await receipt_of(stage, session) == "receipt"
    [request] = stage.effects.receipts
    assert request.objects == 10


async def begun(stage: Stage, name: str) -> bool:
    return name in stage.effects.begun


async def details_of(handle: Handle) -> str:
    """What the Temporal UI shows of the run."""
    return str(await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)).replace("\\n", " ")

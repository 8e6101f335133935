"""An operator asks Temporal for the cancellation of a run: it goes on, whatever it was about."""

import asyncio
from typing import Any
from uuid import uuid4

from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHandle
from temporalio.service import RPCError
from temporalio.worker import Replayer

from domain.session import SessionStatus
from domain.workflow_ids import closed_workflow_id, erasure_id, session_workflow_id
from tests.builders import created, recipient
from tests.workflows.acts import ACT, declined_by, key, opened_by, signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, receipt_of, seen, set_stage
from tests.workflows.stories import closed, generated
from tests.workflows.waiting import eventually
from workflows.connection import converter
from workflows.registry import WORKFLOWS

CANCELLATION = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED

Handle = WorkflowHandle[Any, Any]


async def ask_for_cancellation(handle: Handle) -> None:
    """Returns when the run has been told."""
    await handle.cancel()
    await eventually(lambda: is_told(handle), bool)


async def is_told(handle: Handle) -> bool:
    kinds = [event.event_type async for event in handle.fetch_history_events()]
    return CANCELLATION in kinds and EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED in kinds[kinds.index(CANCELLATION) :]


async def test_a_session_goes_on_in_another_worker_too() -> None:
    async with dev_server() as environment:
        async with set_stage(environment.client) as stage:
            session = await invited(stage, await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}")), 1)
            handle = stage.client.get_workflow_handle(session_workflow_id(session.session_id))
            await ask_for_cancellation(handle)
            viewed = await stage.sessions.view(session.session_id, opened_by(session, "ada"))
            assert viewed == await seen(stage, session)
        async with set_stage(environment.client, effects=stage.effects) as stage:
            await stage.sessions.sign(session.session_id, signed_by(session, "ada"))
            done = await generated(stage, session)
        history = await handle.fetch_history()

    assert done.status is SessionStatus.COMPLETED_AND_GENERATED
    assert len(stage.effects.invited) == 1
    await Replayer(workflows=WORKFLOWS, data_converter=converter(())).replay_workflow(history)


async def test_a_session_is_deleted_for_ever_whatever_is_asked_of_its_erasure(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await invited(stage, await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}")), 1)
    stage.effects.held["bury_session"] = asyncio.Event()
    erasing = asyncio.create_task(stage.sessions.erase(*key(session), ACT))
    await eventually(lambda: begun(stage, "bury_session"), bool)
    await ask_for_cancellation(stage.client.get_workflow_handle(session_workflow_id(session.session_id)))
    stage.effects.held["erase_objects"] = asyncio.Event()
    stage.effects.held.pop("bury_session").set()
    await erasing
    await eventually(lambda: begun(stage, "erase_objects"), bool)
    await ask_for_cancellation(stage.client.get_workflow_handle(erasure_id(session.session_id)))
    stage.effects.held.pop("erase_objects").set()

    assert await receipt_of(stage, session) == "receipt"
    [request] = stage.effects.receipts
    assert request.objects == 10


async def test_an_act_on_a_closed_session_is_done(timed_stage: Stage) -> None:
    stage = timed_stage
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    await invited(stage, session, 1)
    session = await closed(stage, await stage.sessions.decline(session.session_id, declined_by(session, "ada")))
    stage.effects.failures["load_session"] = 5
    archiving = asyncio.create_task(stage.sessions.archive(*key(session), ACT))
    handle = stage.client.get_workflow_handle(closed_workflow_id(session.session_id))
    await eventually(lambda: exists(handle), bool)
    await ask_for_cancellation(handle)

    assert (await archiving).status is SessionStatus.CANCELLED


async def begun(stage: Stage, name: str) -> bool:
    return name in stage.effects.begun


async def exists(handle: Handle) -> bool:
    try:
        await handle.describe()
    except RPCError:
        return False
    return True

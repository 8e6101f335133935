"""The life of a session on a real Temporal server."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from itertools import groupby
from typing import Any
from uuid import uuid4

import pytest
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType as TemporalEvent
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle
from temporalio.testing import WorkflowEnvironment

from domain.audit.events import EventType
from domain.audit.hash_chain import chain_is_intact
from domain.ports.database import DatabaseUnavailable
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import AlreadySigned, FileNotFound, LinkNotValid, NotYourTurn, SessionNotActive
from domain.shared.ids import RecipientId
from domain.workflow_ids import session_workflow_id
from tests.builders import created, file, identifier, recipient
from tests.workflows.acts import ACT, RESTORE, opened_by, signed_by
from tests.workflows.stage import Stage, history, invited, result_of, seen, set_stage
from tests.workflows.waiting import eventually
from workflows.client.replay_check import replayer
from workflows.session.ui_details import SESSION_WAITS_FOR


@pytest.fixture
async def draft(stage: Stage) -> AsyncIterator[Session]:
    """A draft; erased after the test."""
    session = await stage.start(created(name=f"Agreement {uuid4()}"), send=False)
    yield session
    # The time-skipping server trips over the cancelling of an activity that has just ended, so none may run.
    await eventually(lambda: seen(stage, session), is_at_rest)
    await stage.sessions.erase(session, ACT)


def is_at_rest(session: Session) -> bool:
    return not session.needs_documents and not any(r.has_pending_invitation for r in session.recipients)


async def test_a_session_goes_from_draft_to_generated_documents(stage: Stage, draft: Session) -> None:
    assert draft.status is SessionStatus.DRAFT
    assert (await stage.sessions.send(draft, ACT)).status is SessionStatus.PENDING

    await invited(stage, draft, 1)
    await stage.sessions.act(draft, opened_by("ada"))
    assert (await stage.sessions.act(draft, signed_by("ada"))).status is SessionStatus.IN_PROGRESS

    await invited(stage, draft, 2)
    await stage.sessions.act(draft, signed_by("grace"))
    done = await eventually(
        lambda: seen(stage, draft), lambda session: session.status is SessionStatus.COMPLETED_AND_GENERATED
    )

    assert all(f.signed for f in done.files)
    assert [r.recipient_email for r in stage.effects.invited] == ["ada@example.com", "grace@example.com"]
    [request] = stage.effects.generated
    assert [s.key for s in request.signatories] == ["ada", "grace"]


async def test_the_next_in_order_cannot_sign_before_the_first_and_the_record_is_the_whole_chain(
    stage: Stage, draft: Session
) -> None:
    await stage.sessions.send(draft, ACT)
    await invited(stage, draft, 1)
    with pytest.raises(LinkNotValid):  # she has no invitation yet
        await stage.sessions.act(draft, signed_by("grace"))
    with pytest.raises(NotYourTurn):
        await stage.sessions.act(draft, opened_by("grace", invitation=0))

    await stage.sessions.act(draft, signed_by("ada"))
    latest = await seen(stage, draft)
    await eventually(stage.recorded_revision, lambda revision: revision >= latest.revision)

    assert chain_is_intact(await history(stage, draft))
    assert (await history(stage, draft))[-1].hash == latest.head
    assert await seen(stage, draft) == max(stage.effects.recorded, key=lambda session: session.revision)


async def test_equal_signing_orders_are_invited_together(stage: Stage) -> None:
    step = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2), name=f"Agreement {uuid4()}")
    session = await stage.start(step)
    assert session.status is SessionStatus.PENDING
    await invited(stage, session, 2)
    now = await seen(stage, session)
    assert [r.status for r in now.recipients] == [
        RecipientStatus.PENDING,
        RecipientStatus.PENDING,
        RecipientStatus.WAITING,
    ]
    with pytest.raises(NotYourTurn):
        now.check_may_act(RecipientId(identifier("alan")))
    await stage.sessions.erase(session, ACT)


async def test_an_invitation_that_cannot_leave_is_given_up_when_the_session_is_archived(
    stage: Stage, draft: Session
) -> None:
    stage.effects.failures["send_invitation"] = 1_000_000
    await stage.sessions.send(draft, ACT)
    archived = await stage.sessions.act(draft, ACT)
    assert (archived.status, archived.previous_status) == (SessionStatus.CANCELLED, SessionStatus.PENDING)
    with pytest.raises(SessionNotActive):
        await stage.sessions.act(draft, signed_by("ada"))

    stage.effects.failures["send_invitation"] = 2  # and then it is retried
    assert (await stage.sessions.act(draft, RESTORE)).status is SessionStatus.PENDING
    await invited(stage, draft, 1)
    assert len(stage.effects.invited) == 1
    assert (await stage.sessions.act(draft, signed_by("ada"))).status is SessionStatus.IN_PROGRESS


async def test_a_signature_that_a_dead_database_did_not_confirm_counts_and_is_recorded_when_it_is_back(
    stage: Stage, draft: Session
) -> None:
    await stage.sessions.send(draft, ACT)
    await invited(stage, draft, 1)
    await eventually(lambda: stage.is_at_rest(draft), bool)
    stage.effects.failures["record_session"] = 1_000_000
    with pytest.raises(DatabaseUnavailable):
        await stage.sessions.act(draft, signed_by("ada"))
    with pytest.raises(AlreadySigned):
        await stage.sessions.act(draft, signed_by("ada"))

    stage.effects.failures["record_session"] = 0
    found = await eventually(lambda: seen(stage, draft), lambda now: now.status is SessionStatus.IN_PROGRESS)
    await invited(stage, draft, 2)
    assert found.recipients[0].status is RecipientStatus.COMPLETED
    assert chain_is_intact(await history(stage, draft))


async def test_documents_are_generated_though_the_session_is_archived_meanwhile(stage: Stage) -> None:
    step = created(recipient("ada"), files=(file("One"), file("Two")), name=f"Agreement {uuid4()}")
    session = await stage.start(step)
    await invited(stage, session, 1)
    stage.effects.failures["generate_document"] = 2
    await stage.sessions.act(session, signed_by("ada"))
    await stage.sessions.act(session, ACT)
    await eventually(lambda: seen(stage, session), lambda now: all(f.signed for f in now.files))

    assert (await stage.sessions.act(session, RESTORE)).status is SessionStatus.COMPLETED_AND_GENERATED
    assert len(stage.effects.generated) == 2
    await stage.sessions.erase(session, ACT)


async def test_a_worker_that_remembers_no_run_replays_it_at_each_step(environment: WorkflowEnvironment) -> None:
    async with set_stage(environment.client, cached=0) as stage:
        session = await stage.send()
        on_device = (ACT.audit.model_copy(update={"user_agent": f"browser {number}"}) for number in range(5))
        devices = [opened_by("ada").model_copy(update={"audit": seen_on}) for seen_on in on_device]
        await asyncio.gather(*(stage.sessions.act(session, device) for device in devices))
        await stage.sessions.act(session, signed_by("ada"))
        await invited(stage, session, 2)
        await stage.sessions.act(session, signed_by("grace"))

        done = await result_of(stage, session)

    assert done.status is SessionStatus.COMPLETED_AND_GENERATED
    assert chain_is_intact(await history(stage, session))


async def test_a_view_that_was_not_recorded_is_recorded_with_what_follows(stage: Stage) -> None:
    session = await stage.send()
    await eventually(lambda: stage.is_at_rest(session), bool)

    await stage.runs.act(session.session_id, opened_by("ada"))  # and who asked for it ended

    assert (await seen(stage, session)).recipients[0].status is RecipientStatus.PENDING
    await stage.sessions.act(session, signed_by("ada"))
    events = await history(stage, session)
    assert [event.type for event in events if event.details.get("recipientId") == identifier("ada")] == [
        EventType.RECIPIENT_INVITED,
        EventType.RECIPIENT_VIEWED,
        EventType.RECIPIENT_CONSENTED,
        EventType.RECIPIENT_COMPLETED,
    ]
    assert chain_is_intact(events)


async def test_an_unexpected_error_of_a_task_fails_no_session_permanently(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, session: Session
) -> None:
    def break_down(*_: object) -> None:
        raise FileNotFound

    with monkeypatch.context() as broken:
        broken.setattr(Session, "add_signed_document", break_down)
        await stage.sessions.act(session, signed_by("ada"))
        handle = stage.client.get_workflow_handle(session_workflow_id(session.session_id))
        failures = await eventually(lambda: failed_tasks(handle), bool)
        assert "FileNotFound" in failures[0] or "No such file" in failures[0]
        assert (await handle.describe()).status is WorkflowExecutionStatus.RUNNING

    assert (await result_of(stage, session)).status is SessionStatus.COMPLETED_AND_GENERATED


async def failed_tasks(handle: WorkflowHandle[Any, Any]) -> list[str]:
    """Why workflow tasks of the run failed."""
    kind = TemporalEvent.EVENT_TYPE_WORKFLOW_TASK_FAILED
    return [
        event.workflow_task_failed_event_attributes.failure.message
        async for event in handle.fetch_history_events()
        if event.event_type == kind
    ]


async def test_a_search_attribute_tells_what_the_session_waits_for(stage: Stage) -> None:
    handle: WorkflowHandle[Any, Any]

    async def waits_for() -> object:
        return (await handle.describe()).typed_search_attributes.get(SESSION_WAITS_FOR)

    stage.effects.failures["send_invitation"] = 1_000_000
    session = await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))
    handle = stage.client.get_workflow_handle(session_workflow_id(session.session_id))
    await eventually(waits_for, lambda cause: cause == "mail")
    stage.effects.failures["send_invitation"] = 0
    await eventually(waits_for, lambda cause: cause == "person")
    stage.effects.failures["generate_document"] = 2
    await stage.sessions.act(session, signed_by("ada"))
    await eventually(waits_for, lambda cause: cause == "generation")
    await result_of(stage, session)

    found = await handle.fetch_history()
    written = [
        _cause_in(event.upsert_workflow_search_attributes_event_attributes.search_attributes.indexed_fields)
        for event in found.events
        if event.event_type == TemporalEvent.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES
    ]
    assert [cause for cause, _ in groupby(written)] == ["person", "generation", "mail"]
    assert (await replayer().replay_workflow(found, raise_on_replay_failure=False)).replay_failure is None


def _cause_in(attributes: Mapping[str, Payload]) -> object:
    return json.loads(attributes[SESSION_WAITS_FOR.name].data)

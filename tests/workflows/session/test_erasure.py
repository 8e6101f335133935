"""A permanently deleted session is hidden at once and erased by a workflow that retries."""

import asyncio

import pytest

from activities.interface import ReceiptRequest
from domain.session.session import Session
from domain.shared.errors import SessionNotFound
from domain.workflow_ids import erasure_id
from tests.builders import recipient
from tests.workflows.acts import ACT, signed_by
from tests.workflows.stage import Stage, receipt_of
from tests.workflows.waiting import eventually


def receipts(stage: Stage, session: Session) -> list[ReceiptRequest]:
    """Those of this session: the server is shared, and others may still be erased on it."""
    return [request for request in stage.effects.receipts if request.erased.session_id == session.session_id]


async def test_an_erased_session_is_gone_at_once_and_its_erasure_ends_with_a_receipt_without_personal_data(
    stage: Stage, session: Session
) -> None:
    erased = await stage.sessions.erase(session, ACT)

    assert stage.effects.buried == [session.session_id]
    with pytest.raises(SessionNotFound):
        await stage.sessions.act(session, ACT)
    assert await receipt_of(stage, session) == "receipt"
    [request] = receipts(stage, session)
    assert (request.objects, request.runs) == (10, 2)
    assert request.erased.erased_at == erased.erased_at
    assert request.completed_at >= request.erased.erased_at
    handle = stage.client.get_workflow_handle(erasure_id(session.session_id))
    history = (await handle.fetch_history()).to_json()
    assert session.session_id in history
    assert [word for word in ("ada@example.com", "Ada", session.name) if word in history] == []


async def test_those_who_were_invited_are_told_once_and_their_addresses_are_erased_with_the_rest(stage: Stage) -> None:
    stage.effects.failures["send_deletion_mails"] = 1
    session = await stage.send(recipient("ada", 1), recipient("grace", 2), name="Told")
    await stage.sessions.erase(session, ACT)
    assert await receipt_of(stage, session) == "receipt"
    assert [one.email for one in stage.effects.told_of_deletion] == ["ada@example.com"]


async def test_an_outage_of_the_mail_server_keeps_nothing_from_being_erased(stage: Stage, session: Session) -> None:
    stage.effects.held["send_deletion_mails"] = asyncio.Event()
    await stage.sessions.erase(session, ACT)
    await eventually(lambda: begun(stage), lambda names: names.count("erase_objects") == 2)
    assert receipts(stage, session) == []
    stage.effects.held["send_deletion_mails"].set()
    assert await receipt_of(stage, session) == "receipt"


async def test_an_erasure_is_retried_until_every_step_is_done(stage: Stage, session: Session) -> None:
    for step in ("erase_objects", "erase_histories", "issue_receipt"):
        stage.effects.failures[step] = 1

    await stage.sessions.erase(session, ACT)

    await receipt_of(stage, session)
    assert len(receipts(stage, session)) == 1


async def test_a_document_that_is_ready_after_the_session_was_deleted_brings_nothing_back(
    stage: Stage, session: Session
) -> None:
    stage.effects.held["generate_document"] = asyncio.Event()
    await stage.sessions.act(session, signed_by("ada"))
    await eventually(lambda: begun(stage), lambda names: "generate_document" in names)

    await stage.sessions.erase(session, ACT)
    stage.effects.held["generate_document"].set()

    assert await receipt_of(stage, session) == "receipt"
    assert await stage.effects.rows.find(session.organisation_id, session.session_id) is None


async def begun(stage: Stage) -> list[str]:
    return stage.effects.begun

"""The life of a session on a real Temporal server."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from domain.errors import (
    AlreadySigned,
    LinkNotValid,
    NotADraft,
    NotYourTurn,
    SessionNotActive,
    SessionNotFound,
)
from domain.events import chain_is_intact
from domain.ids import RecipientId
from domain.recipients import RecipientStatus
from domain.session import Session, SessionStatus
from tests.builders import created, file, identifier, occasion, recipient
from tests.workflows.acts import ACT, key, opened_by, signed_by
from tests.workflows.stage import Stage, invited
from tests.workflows.waiting import eventually
from workflows.messages import SessionStart


@pytest.fixture
async def draft(stage: Stage) -> AsyncIterator[Session]:
    """A session in draft; erased after the test, so that the server's clock is free to move."""
    step = created(name=f"Agreement {uuid4()}")
    session = await stage.sessions.start(SessionStart(session=step.session, events=step.events))
    yield session
    stage.effects.failures.clear()
    try:
        # The time-skipping server trips over the cancelling of an activity that has just ended, so none may run.
        await eventually(lambda: stage.sessions.snapshot(session.session_id), is_at_rest)
        await stage.sessions.erase(*key(session), ACT)
    except SessionNotFound:
        return


def is_at_rest(session: Session) -> bool:
    """Whether nothing is under way that a workflow would have to cancel."""
    return not session.needs_documents and not any(r.awaits_delivery for r in session.recipients)


async def test_a_session_goes_from_draft_to_generated_documents(stage: Stage, draft: Session) -> None:
    assert draft.status is SessionStatus.DRAFT
    sent = await stage.sessions.send(draft.session_id, ACT)
    assert sent.status is SessionStatus.PENDING

    await invited(stage, draft, 1)
    await stage.sessions.view(draft.session_id, opened_by(draft, "ada"))
    half = await stage.sessions.sign(draft.session_id, signed_by(draft, "ada"))
    assert half.status is SessionStatus.IN_PROGRESS

    await invited(stage, draft, 2)
    await stage.sessions.sign(draft.session_id, signed_by(draft, "grace"))
    done = await eventually(
        lambda: stage.sessions.snapshot(draft.session_id),
        lambda session: session.status is SessionStatus.COMPLETED_AND_GENERATED,
    )

    assert all(f.signed for f in done.files)
    assert [r.recipient_email for r in stage.effects.invited] == ["ada@example.com", "grace@example.com"]
    [request] = stage.effects.generated
    assert [s.key for s in request.signatories] == ["ada", "grace"]


async def test_what_is_recorded_is_the_whole_chain_and_the_latest_snapshot(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)
    await stage.sessions.sign(draft.session_id, signed_by(draft, "ada"))
    latest = await stage.sessions.snapshot(draft.session_id)
    await eventually(stage.recorded_revision, lambda revision: revision >= latest.revision)

    assert chain_is_intact(stage.effects.events)
    assert stage.effects.events[-1].hash == latest.head
    revisions = [session.revision for session in stage.effects.recorded]
    assert revisions == sorted(revisions)


async def test_the_next_in_order_cannot_sign_before_the_first(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)

    with pytest.raises(LinkNotValid):  # no link was made for her yet
        await stage.sessions.sign(draft.session_id, signed_by(draft, "grace"))

    borrowed = opened_by(draft, "ada").model_copy(update={"recipient_id": RecipientId(identifier("grace"))})
    with pytest.raises(LinkNotValid):  # and somebody else's link is not hers
        await stage.sessions.view(draft.session_id, borrowed)


async def test_of_two_parallel_signatures_of_one_recipient_one_wins(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)

    outcomes = await asyncio.gather(
        stage.sessions.sign(draft.session_id, signed_by(draft, "ada")),
        stage.sessions.sign(draft.session_id, signed_by(draft, "ada")),
        return_exceptions=True,
    )

    assert {type(outcome) for outcome in outcomes} == {Session, AlreadySigned}


async def test_sending_twice_is_refused(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    with pytest.raises(NotADraft):
        await stage.sessions.send(draft.session_id, ACT)


async def test_equal_signing_orders_are_invited_together(stage: Stage) -> None:
    step = created(recipient("ada", 1), recipient("grace", 1), recipient("alan", 2), name=f"Agreement {uuid4()}")
    session = await stage.sessions.start(
        SessionStart(session=step.session, events=step.events, send_immediately=occasion())
    )
    assert session.status is SessionStatus.PENDING
    await invited(stage, session, 2)
    now = await stage.sessions.snapshot(session.session_id)
    assert [r.status for r in now.recipients] == [
        RecipientStatus.PENDING,
        RecipientStatus.PENDING,
        RecipientStatus.WAITING,
    ]
    with pytest.raises(NotYourTurn):
        now.check_may_act(RecipientId(identifier("alan")))
    await stage.sessions.erase(*key(session), ACT)


async def test_an_archived_session_is_closed_to_recipients_until_restored(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)
    archived = await stage.sessions.archive(*key(draft), ACT)
    assert (archived.status, archived.previous_status) == (SessionStatus.CANCELLED, SessionStatus.PENDING)
    with pytest.raises(SessionNotActive):
        await stage.sessions.sign(draft.session_id, signed_by(draft, "ada"))

    restored = await stage.sessions.restore(*key(draft), ACT)
    assert restored.status is SessionStatus.PENDING
    signed = await stage.sessions.sign(draft.session_id, signed_by(draft, "ada"))
    assert signed.status is SessionStatus.IN_PROGRESS


async def test_an_invitation_that_fails_is_tried_again(stage: Stage, draft: Session) -> None:
    stage.effects.failures["send_invitation"] = 2
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)
    assert len(stage.effects.invited) == 1


async def test_an_invitation_that_cannot_leave_is_given_up_when_the_session_is_archived(
    stage: Stage, draft: Session
) -> None:
    stage.effects.failures["send_invitation"] = 1_000_000
    await stage.sessions.send(draft.session_id, ACT)
    await stage.sessions.archive(*key(draft), ACT)
    stage.effects.failures["send_invitation"] = 0

    await stage.sessions.restore(*key(draft), ACT)
    await invited(stage, draft, 1)
    assert len(stage.effects.invited) == 1


async def test_a_dead_database_stops_no_signature(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)
    stage.effects.failures["record_session"] = 1_000_000
    signed = await stage.sessions.sign(draft.session_id, signed_by(draft, "ada"))
    assert signed.status is SessionStatus.IN_PROGRESS

    stage.effects.failures["record_session"] = 0
    await eventually(stage.recorded_revision, lambda revision: revision >= signed.revision)
    assert chain_is_intact(stage.effects.events)


async def test_documents_are_generated_though_the_session_is_archived_meanwhile(stage: Stage) -> None:
    step = created(recipient("ada"), files=(file("One"), file("Two")), name=f"Agreement {uuid4()}")
    session = await stage.sessions.start(
        SessionStart(session=step.session, events=step.events, send_immediately=occasion())
    )
    await invited(stage, session, 1)
    stage.effects.failures["generate_document"] = 2
    await stage.sessions.sign(session.session_id, signed_by(session, "ada"))
    await stage.sessions.archive(*key(session), ACT)
    await eventually(lambda: stage.sessions.snapshot(session.session_id), lambda now: all(f.signed for f in now.files))

    restored = await stage.sessions.restore(*key(session), ACT)
    assert restored.status is SessionStatus.COMPLETED_AND_GENERATED
    assert len(stage.effects.generated) == 2
    await stage.sessions.erase(*key(session), ACT)


async def test_an_erased_session_is_gone_for_everybody(stage: Stage, draft: Session) -> None:
    await stage.sessions.send(draft.session_id, ACT)
    await invited(stage, draft, 1)
    erased = await stage.sessions.erase(*key(draft), ACT)
    assert erased.is_erased
    with pytest.raises(SessionNotFound):
        await stage.sessions.send(draft.session_id, ACT)
    assert stage.effects.buried == [draft.session_id]


async def test_a_session_that_never_was_is_not_found(stage: Stage, draft: Session) -> None:
    with pytest.raises(SessionNotFound):
        await stage.sessions.snapshot(created(name=str(uuid4())).session.session_id)

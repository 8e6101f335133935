"""What is asked for twice under one identifier happens once, on a real Temporal server."""

from uuid import uuid4

import pytest

from domain.errors import NotADraft
from domain.session import Session, SessionStatus
from tests.builders import created
from tests.workflows.acts import ACT
from tests.workflows.stage import Stage, invited
from workflows.messages import InviteRequest, SessionStart


def start_of(name: str) -> SessionStart:
    step = created(name=name)
    return SessionStart(session=step.session, events=step.events)


async def start(stage: Stage) -> Session:
    return await stage.sessions.start(start_of(f"Agreement {uuid4()}"))


async def test_a_session_that_was_started_is_the_answer_to_starting_it_again(stage: Stage) -> None:
    wanted = start_of(f"Agreement {uuid4()}")
    draft = await stage.sessions.start(wanted)
    await stage.sessions.send(draft, ACT)

    again = await stage.sessions.start(wanted)

    assert again.session_id == draft.session_id
    assert again.status is SessionStatus.PENDING


async def test_a_send_under_the_same_update_id_is_answered_and_not_done_again(stage: Stage) -> None:
    draft = await start(stage)
    first = await stage.sessions.send(draft, ACT, "once")

    assert await stage.sessions.send(draft, ACT, "once") == first
    with pytest.raises(NotADraft):
        await stage.sessions.send(draft, ACT, "another")


async def test_an_invitation_under_the_same_update_id_is_one(stage: Stage) -> None:
    draft = await start(stage)
    await stage.sessions.send(draft, ACT)
    await invited(stage, draft, 1)
    invite = InviteRequest(occasion=ACT.occasion, recipient_id=draft.recipients[0].recipient_id)

    for _ in range(3):
        session = await stage.sessions.invite(draft, invite, "once")

    assert session.recipients[0].invitation.number == 2
    assert (await seen(stage, draft)).recipients[0].invitation.number == 2

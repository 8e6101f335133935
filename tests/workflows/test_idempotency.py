"""What is asked for twice under one identifier happens once, on a real Temporal server."""

from uuid import uuid4

import pytest

from domain.session.snapshot import SessionStatus
from domain.shared.errors import NotADraft
from tests.builders import created
from tests.workflows.acts import ACT, ask_again
from tests.workflows.stage import Stage, invited, seen


async def test_a_session_that_was_created_is_the_answer_to_creating_it_again(stage: Stage) -> None:
    step = created(name=f"Agreement {uuid4()}")
    draft = await stage.start(step, send=False)
    await stage.sessions.send(draft, ACT)

    again = await stage.start(step, send=False)

    assert again.session_id == draft.session_id
    assert again.status is SessionStatus.PENDING


async def test_a_run_that_was_started_is_not_started_again(stage: Stage) -> None:
    session = await stage.start(created(name=f"Agreement {uuid4()}"))
    await invited(stage, session, 1)

    assert await stage.runs.start(session) is False
    with pytest.raises(NotADraft):
        await stage.sessions.send(session, ACT)
    mine = [request for request in stage.effects.invited if request.link.session_id == session.session_id]
    assert len(mine) == 1


async def test_an_invitation_under_the_same_update_id_is_one(stage: Stage) -> None:
    session = await invited(stage, await stage.start(created(name=f"Agreement {uuid4()}")), 1)

    for _ in range(3):
        after = await stage.sessions.invite(session, ask_again("ada"), "once")

    assert after.recipients[0].invitation.number == 2
    assert (await seen(stage, session)).recipients[0].invitation.number == 2

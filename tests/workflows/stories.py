"""The paths of a session that are recorded and replayed: each a short story told to running sessions."""

from collections.abc import Awaitable, Callable

from domain.session import Session, SessionStatus
from tests.builders import created, file, occasion, recipient
from tests.workflows.acts import ACT, opened_by, signed_by
from tests.workflows.stage import Stage, invited
from tests.workflows.waiting import eventually
from workflows.messages import SessionStart

Story = Callable[[Stage], Awaitable[Session]]


async def signed_in_order(stage: Stage) -> Session:
    """Draft, sent, viewed, signed by two in order, two documents generated."""
    step = created(files=(file("One"), file("Two")), name="Signed in order")
    session = await stage.sessions.start(SessionStart(session=step.session, events=step.events))
    await stage.sessions.send(session.session_id, ACT)
    await invited(stage, session, 1)
    await stage.sessions.view(session.session_id, opened_by(session, "ada"))
    await stage.sessions.sign(session.session_id, signed_by(session, "ada"))
    await invited(stage, session, 2)
    await stage.sessions.sign(session.session_id, signed_by(session, "grace"))
    return await generated(stage, session)


async def archived_and_restored(stage: Stage) -> Session:
    """Archived while an invitation cannot leave, restored, signed."""
    step = created(recipient("ada"), name="Archived and restored")
    stage.effects.failures["send_invitation"] = 1
    session = await stage.sessions.start(
        SessionStart(session=step.session, events=step.events, send_immediately=occasion())
    )
    await stage.sessions.archive(session.session_id, ACT)
    await stage.sessions.restore(session.session_id, ACT)
    await invited(stage, session, 1)
    await stage.sessions.sign(session.session_id, signed_by(session, "ada"))
    return await generated(stage, session)


async def healed_by_itself(stage: Stage) -> Session:
    """Every effect fails at first."""
    for effect in ("record_session", "send_invitation", "generate_document"):
        stage.effects.failures[effect] = 1
    step = created(recipient("ada"), name="Healed by itself")
    session = await stage.sessions.start(
        SessionStart(session=step.session, events=step.events, send_immediately=occasion())
    )
    await invited(stage, session, 1)
    await stage.sessions.sign(session.session_id, signed_by(session, "ada"))
    return await generated(stage, session)


async def erased(stage: Stage) -> Session:
    """Sent, then deleted for ever."""
    step = created(recipient("ada"), name="Erased")
    session = await stage.sessions.start(
        SessionStart(session=step.session, events=step.events, send_immediately=occasion())
    )
    await invited(stage, session, 1)
    await stage.sessions.erase(session.session_id, ACT)
    return session


async def generated(stage: Stage, session: Session) -> Session:
    """The session once its documents are generated and nothing is left to record."""
    done = await eventually(
        lambda: stage.sessions.snapshot(session.session_id),
        lambda now: now.status is SessionStatus.COMPLETED_AND_GENERATED,
    )
    await eventually(stage.recorded_revision, lambda revision: revision >= done.revision)
    return done


STORIES: dict[str, Story] = {
    story.__name__: story for story in (signed_in_order, archived_and_restored, healed_by_itself, erased)
}

"""The stories of sessions that are recorded and replayed."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from domain.ports.session_requests import ArchiveRequest
from domain.seal.seal import Seal, SealLevel
from domain.session.downloadable_items import CERTIFICATE
from domain.session.recipients import RecipientRole
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import UserId
from domain.workflow_ids import session_workflow_id
from tests.builders import audit, created, file, identifier, recipient
from tests.workflows.acts import (
    ACT,
    RESTORE,
    approved_by,
    ask_again,
    copies,
    declined_by,
    expire_after,
    opened_by,
    passed_on_by,
    remind_of,
    right_address,
    signed_by,
)
from tests.workflows.stage import Stage, invited, receipt_of, result_of, seen
from tests.workflows.waiting import eventually

Story = Callable[[Stage], Awaitable[Session]]


async def signed_in_order(stage: Stage) -> Session:
    """Sent, viewed, signed by two in order, two documents generated, closed."""
    session = await stage.send(files=(file("One"), file("Two")), name="Signed in order")
    await stage.sessions.act(session, opened_by("ada"))
    await stage.sessions.act(session, signed_by("ada"))
    await invited(stage, session, 2)
    await stage.sessions.act(session, signed_by("grace"))
    await generated(stage, session)
    return await result_of(stage, session)


async def archived_and_restored(stage: Stage) -> Session:
    """Archived while an invitation cannot leave, restored, signed."""
    stage.effects.failures["send_invitation"] = 2
    session = await stage.start(created(recipient("ada"), name="Archived and restored"))
    await stage.sessions.act(session, ACT)
    await stage.sessions.act(session, RESTORE)
    await invited(stage, session, 1)
    await stage.sessions.act(session, signed_by("ada"))
    return await generated(stage, session)


async def healed_by_itself(stage: Stage) -> Session:
    """Every effect fails at first."""
    for effect in ("send_invitation", "generate_document"):
        stage.effects.failures[effect] = 1
    session = await stage.send(recipient("ada"), name="Healed by itself")
    stage.effects.failures["record_session"] = 2
    await stage.runs.act(session.session_id, ACT)
    await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.CANCELLED)
    await stage.sessions.act(session, RESTORE)
    await stage.sessions.act(session, signed_by("ada"))
    return await generated(stage, session)


async def asked_again(stage: Stage) -> Session:
    """Invited once more, with another link, which signs."""
    session = await stage.send(recipient("ada"), name="Asked again")
    await stage.sessions.act(session, ask_again("ada"))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == 2)
    await stage.sessions.act(session, signed_by("ada", invitation=2))
    return await generated(stage, session)


async def corrected(stage: Stage) -> Session:
    """Reminded at once, given another address and a later deadline, signed with the new link."""
    session = await stage.send(recipient("ada"), name="Corrected", expiry_days=30)
    await stage.sessions.act(session, remind_of("ada"))
    await eventually(lambda: seen(stage, session), lambda now: not now.recipients[0].has_pending_reminder)
    await stage.sessions.act(session, right_address("ada", "ada@right.example"))
    await told(stage, session, 1)
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == 2)
    await stage.sessions.act(session, expire_after(60))
    await stage.sessions.act(session, signed_by("ada", invitation=2))
    return await generated(stage, session)


async def declined(stage: Stage) -> Session:
    """Declined by the first of two, closed."""
    session = await stage.send(name="Declined")
    await stage.sessions.act(session, declined_by("ada"))
    return await result_of(stage, session)


async def approved(stage: Stage) -> Session:
    """Signed by one, then approved by another, with a copy to a third."""
    people = (
        recipient("ada", 1),
        recipient("grace", 2, role=RecipientRole.APPROVER),
        recipient("mary", 1, role=RecipientRole.COPY),
    )
    session = await stage.send(*people, name="Approved")
    await stage.sessions.act(session, signed_by("ada"))
    await invited(stage, session, 2)
    await stage.sessions.act(session, approved_by("grace"))
    return await result_of(stage, session)


async def delegated(stage: Stage) -> Session:
    """Passed on to another person, who signs with a link of their own."""
    session = await stage.send(recipient("ada"), name="Delegated", delegation=True, sender_email="sender@example.com")
    await stage.sessions.act(session, passed_on_by("ada", "mary@example.com"))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == 2)
    await stage.sessions.act(session, signed_by("ada", invitation=2))
    return await result_of(stage, session)


async def reminded_and_expired(stage: Stage) -> Session:
    """Reminded twice, archived over the third time, restored, expired, closed."""
    day = timedelta(days=1)
    session = await stage.send(
        recipient("ada"),
        name="Reminded and expired",
        reminder_enabled=True,
        reminder_frequency=ReminderFrequency.DAILY,
        expiry_days=5,
    )
    for reminders in (1, 2):
        await stage.pass_time(day)
        await eventually(
            lambda: seen(stage, session), lambda now, n=reminders: now.recipients[0].reminders_delivered == n
        )
    await stage.sessions.act(session, ACT)
    await stage.pass_time(day)
    await stage.sessions.act(session, RESTORE)
    await stage.pass_time(2 * day)
    return await result_of(stage, session)


async def downloaded(stage: Stage) -> Session:
    """Its certificate goes to a client while its run goes on."""
    stage.effects.failures["send_outcome_mail"] = 1
    session = await stage.send(recipient("ada"), name="Handed out")
    await stage.sessions.act(session, signed_by("ada"))
    await generated(stage, session)
    await stage.sessions.act(session, copies(CERTIFICATE))
    return await result_of(stage, session)


async def asked_to_cancel(stage: Stage) -> Session:
    """Cancellation of the run is requested, which archives the session; restored, signed."""
    session = await stage.send(recipient("ada"), name="Asked to cancel")
    await stage.client.get_workflow_handle(session_workflow_id(session.session_id)).cancel()
    await eventually(lambda: seen(stage, session), lambda now: now.status is SessionStatus.CANCELLED)
    await stage.sessions.act(session, RESTORE)
    await stage.sessions.act(session, signed_by("ada"))
    return await result_of(stage, session)


async def called_back(stage: Stage) -> Session:
    """Every step is announced to a receiver."""
    session = await stage.send(recipient("ada"), name="Called back", callback_url="https://hooks.example.com/undersign")
    await stage.sessions.act(session, opened_by("ada"))
    await stage.sessions.act(session, signed_by("ada"))
    return await generated(stage, session)


async def signed_together(stage: Stage) -> Session:
    """Three of the same signing order, two of whom sign at once."""
    people = [recipient(name, 1) for name in ("ada", "grace", "mary")]
    session = await stage.send(*people, name="Signed together", invitations=3)
    await asyncio.gather(*(stage.sessions.act(session, signed_by(who)) for who in ("ada", "grace")))
    await stage.sessions.act(session, signed_by("mary"))
    return await generated(stage, session)


async def erased(stage: Stage) -> Session:
    """Sent, then permanently deleted."""
    session = await stage.send(recipient("ada"), name="Erased")
    await stage.sessions.erase(session, ACT)
    await receipt_of(stage, session)
    return session


async def erased_and_told(stage: Stage) -> Session:
    """Sent, then permanently deleted while the mail server fails once."""
    stage.effects.failures["send_deletion_mails"] = 1
    session = await stage.send(recipient("ada"), name="Erased and told")
    await stage.sessions.erase(session, ACT)
    await receipt_of(stage, session)
    return session


async def followed_by_a_user(stage: Stage) -> Session:
    """Sent by a user, who is told of the first signature and the end; withdrawn with a reason in between."""
    step = created(recipient("ada", 1), recipient("grace", 2), name="Followed by a user")
    session = await stage.start(step, sent_by=UserId(identifier("olivia")))
    await invited(stage, session, 1)
    await stage.sessions.act(session, signed_by("ada"))
    await invited(stage, session, 2)
    await told(stage, session, 1)
    await stage.sessions.act(session, ArchiveRequest(audit=audit(), reason="The fee was wrong."))
    await told(stage, session, 3)
    await stage.sessions.act(session, RESTORE)
    await stage.sessions.act(session, signed_by("grace"))
    await told(stage, session, 6)
    return await result_of(stage, session)


async def continued(stage: Stage) -> Session:
    """So many actions that the run continues as new while a reminder is pending."""
    session = await stage.send(
        recipient("ada"), name="Continued", reminder_enabled=True, reminder_frequency=ReminderFrequency.MONTHLY
    )
    for _ in range(6):
        await stage.sessions.act(session, ACT)
        await stage.sessions.act(session, RESTORE)
    await stage.sessions.act(session, signed_by("ada"))
    return await generated(stage, session)


async def told_how_it_ended(stage: Stage) -> Session:
    """The mail server refuses an invitation for good, takes the next, fails at mails about the end, closed."""
    stage.effects.rejections["send_invitation"] = 1
    stage.effects.failures["send_outcome_mail"] = 1
    draft = created(recipient("ada"), name="Told how it ended", sender_email="contracts@northwind.example")
    session = await stage.start(draft)
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].is_unreachable)
    await stage.sessions.act(session, ask_again("ada"))
    await eventually(lambda: seen(stage, session), lambda now: now.recipients[0].invitation.delivered == 2)
    await stage.sessions.act(session, ACT)
    await told(stage, session, 1)
    await stage.sessions.act(session, RESTORE)
    await stage.sessions.act(session, signed_by("ada", invitation=2))
    await told(stage, session, 3)
    return await result_of(stage, session)


async def told(stage: Stage, session: Session, count: int) -> None:
    """Returns once `count` outcome mails were sent."""

    async def left() -> int:
        return sum(1 for notice in stage.effects.noticed if notice.session_id == session.session_id)

    await eventually(left, lambda found: found >= count)


async def raised_later(stage: Stage) -> Session:
    """Sealed at a lower level than it is to reach, archived and restored while a first try fails, raised, closed."""
    stage.effects.seal = Seal(level=SealLevel.B_B, goal=SealLevel.B_LT)
    stage.effects.failures["augment_seal"] = 1
    session = await stage.send(recipient("ada"), name="Raised later")
    await stage.sessions.act(session, signed_by("ada"))
    await generated(stage, session)
    await stage.sessions.act(session, ACT)
    await stage.sessions.act(session, RESTORE)
    await stage.pass_time(timedelta(minutes=1))
    await eventually(lambda: seen(stage, session), lambda now: not now.due_seals)
    return await result_of(stage, session)


async def generated(stage: Stage, session: Session) -> Session:
    """The session once its documents are generated and nothing is left to record."""
    done = await eventually(
        lambda: seen(stage, session), lambda now: now.status is SessionStatus.COMPLETED_AND_GENERATED
    )
    await eventually(stage.recorded_revision, lambda revision: revision >= done.revision)
    return done


STORIES: dict[str, Story] = {
    story.__name__: story
    for story in (
        signed_in_order,
        archived_and_restored,
        healed_by_itself,
        asked_again,
        corrected,
        declined,
        approved,
        delegated,
        reminded_and_expired,
        downloaded,
        asked_to_cancel,
        called_back,
        signed_together,
        erased,
        erased_and_told,
        followed_by_a_user,
        told_how_it_ended,
        raised_later,
    )
}
TIMED = {"reminded_and_expired", "raised_later"}
"""Those in which time passes."""

LONG_STORIES: dict[str, Story] = {"continued": continued}
"""For a server that suggests to continue early."""

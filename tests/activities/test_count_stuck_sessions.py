"""Stuck sessions are counted by what they wait for, in passes over all of them."""

from collections.abc import Mapping
from datetime import timedelta

from activities.count_stuck_sessions import StuckSessions
from domain.session.session import Session
from domain.session.waiting_cause import StuckCount, WaitingCause
from domain.session.waiting_for import RetryStatus, SideEffect
from domain.shared.ids import SessionId
from domain.workflow_ids import session_workflow_id
from tests.builders import NOON, audit, created, identifier, recipient
from tests.fakes.stuck_sessions import count_stuck


def sent(name: str) -> Session:
    session = created(recipient("ada")).session.send(audit()).session
    return session.model_copy(update={"session_id": SessionId(identifier(name))})


async def count(stuck: StuckSessions, *pages: tuple[Session, ...], lost: Session | None = None) -> None:
    await stuck.begin()
    for page in pages:
        await stuck.add(page, {lost.session_id} if lost else set())
    stuck.end()


async def test_each_pass_counts_the_sessions_whose_step_fails() -> None:
    shown: list[Mapping[WaitingCause, StuckCount]] = []
    waits, retried, lost, failing = map(sent, ("waits", "retried", "lost", "failing"))
    failed = RetryStatus(SideEffect.INVITATION, 3, "451 greylisted", None)
    stuck = count_stuck(shown.append, {retried.session_id: failed}, [session_workflow_id(failing.session_id)])

    await count(stuck, (waits, retried), (lost, failing), lost=lost)
    await count(stuck, (waits,))

    assert shown == [{WaitingCause.MAIL: StuckCount(1, NOON), WaitingCause.RUN: StuckCount(2, NOON)}, {}]


async def test_the_oldest_is_one_whose_step_is_retried() -> None:
    shown: list[Mapping[WaitingCause, StuckCount]] = []
    refused = rejected(sent("refused"))
    retried = sent("retried").model_copy(update={"updated_at": NOON + timedelta(hours=1)})
    failed = RetryStatus(SideEffect.INVITATION, 3, "451 greylisted", None)

    await count(count_stuck(shown.append, {retried.session_id: failed}), (refused, retried))

    assert shown == [{WaitingCause.MAIL: StuckCount(2, NOON + timedelta(hours=1))}]


def rejected(session: Session) -> Session:
    ada = session.recipients[0]
    return session.fail_invitation(ada.recipient_id, ada.invitation.number, "550 unknown", audit()).session

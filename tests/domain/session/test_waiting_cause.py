"""What a session waits for, and whether that fails."""

import pytest

from domain.session.recipients import Invitation
from domain.session.session import Session
from domain.session.waiting_cause import WaitingCause, waiting_cause
from domain.session.waiting_for import RetryStatus, SideEffect
from tests.builders import audit, created, recipient
from tests.domain.session.test_outcome_mail_recipients import informed, signed

SENT = created(recipient("ada")).session.send(audit()).session
FAILED = Invitation(number=1, failed=1, refusal="550 no such user")


def invited(invitation: Invitation) -> Session:
    [ada] = SENT.recipients
    return SENT.model_copy(update={"recipients": (ada.model_copy(update={"invitation": invitation}),)})


@pytest.mark.parametrize(
    ("session", "effects", "expected"),
    [
        (SENT, (), (WaitingCause.MAIL, False)),
        (SENT, (SideEffect.INVITATION,), (WaitingCause.MAIL, True)),
        (invited(FAILED), (), (WaitingCause.MAIL, True)),
        (invited(Invitation(number=1, delivered=1)), (), (WaitingCause.PERSON, False)),
        (signed(informed()), (), (WaitingCause.GENERATION, False)),
        (signed(informed()), (SideEffect.DOCUMENT,), (WaitingCause.GENERATION, True)),
        (SENT, (SideEffect.SEAL,), (WaitingCause.SEAL, True)),
        (SENT.model_copy(update={"stopped_at": audit().at}), (), (WaitingCause.RUN, True)),
    ],
)
def test_the_cause_is_that_of_the_step(
    session: Session, effects: tuple[SideEffect, ...], expected: tuple[WaitingCause, bool]
) -> None:
    retries = [RetryStatus(effect, 3, "451 greylisted", None) for effect in effects]

    assert waiting_cause(session, retries, has_failing_run=False) == expected


def test_a_run_that_fails_comes_first() -> None:
    assert waiting_cause(invited(FAILED), (), has_failing_run=True) == (WaitingCause.RUN, True)

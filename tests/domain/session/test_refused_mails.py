"""Mails about the end that were rejected are events, and are sent again."""

import pytest

from domain.audit.events import EventType
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.recipients import MAX_PER_HOUR
from domain.session.refused_mails import fail_outcome_mail, invite_again
from domain.session.session import Session
from domain.shared.errors import NotDue, RecipientNotActive, SessionNotActive, TooOften
from domain.shared.ids import RecipientId
from tests.builders import audit
from tests.domain.session.test_outcome_mail_recipients import ANSWER, delivered, informed, signed
from tests.domain.situations import ADA, store_document


def finished(**settings: object) -> Session:
    """All have signed, and the documents are stored."""
    return store_document(signed(informed(**settings))).session


def refuse(session: Session, who: RecipientId) -> Session:
    (mail,) = (one for one in session.due_outcome_mails if one.recipient_id == who)
    return fail_outcome_mail(session, mail, ANSWER, audit()).session


def test_a_rejected_mail_about_the_end_is_an_event_and_is_no_longer_due() -> None:
    session = finished()
    (mail,) = (one for one in session.due_outcome_mails if one.recipient_id == ADA)
    step = fail_outcome_mail(session, mail, ANSWER, audit())
    (event,) = step.events
    assert (event.type, event.details) == (
        EventType.RECIPIENT_INVITATION_FAILED,
        {"recipientId": ADA, "mail": "completed", "reason": ANSWER},
    )
    assert mail not in step.session.outcome_mails
    with pytest.raises(NotDue):
        fail_outcome_mail(step.session, mail, ANSWER, audit())


@pytest.mark.parametrize("to", [None, "ada@elsewhere.example"])
def test_a_rejected_mail_about_the_end_can_be_sent_again_also_elsewhere(to: str | None) -> None:
    session = delivered(refuse(finished(), ADA))
    step = invite_again(session, ADA, audit(), to)
    (mail,) = step.session.due_outcome_mails
    assert (mail.kind, mail.recipient_id, mail.to_email) == (OutcomeMailKind.COMPLETED, ADA, to)
    assert mail.to_name == (session.recipient(ADA).name if to else None)
    assert mail.name not in {one.name for one in finished().due_outcome_mails}
    assert step.session.recipient(ADA).email == session.recipient(ADA).email
    assert (step.session.needs_run, session.needs_run) == (True, False)
    assert step.session.refused_mail_of(ADA) is None
    assert [event.details.get("email") for event in step.events] == [to or session.recipient(ADA).email]


def test_another_address_is_for_rejected_mails_only() -> None:
    with pytest.raises(RecipientNotActive):
        invite_again(informed(), ADA, audit(), "ada@elsewhere.example")
    with pytest.raises(SessionNotActive):
        invite_again(finished(), ADA, audit())


def test_a_mail_about_the_end_is_sent_again_at_most_ten_times_within_an_hour() -> None:
    session = refuse(finished(), ADA)
    while len(session.recipient(ADA).invited_at) < MAX_PER_HOUR:
        session = refuse(invite_again(session, ADA, audit()).session, ADA)
    with pytest.raises(TooOften):
        invite_again(session, ADA, audit())

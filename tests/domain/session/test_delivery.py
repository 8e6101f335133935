"""Recipients without emails, and those for whom a program opened the documents."""

from datetime import timedelta

import pytest

from domain.audit.events import AuditContext
from domain.seal.seal import Identified
from domain.session.deletion_mails import deletion_mails
from domain.session.edits import Correction, correct_recipient, remind_recipient
from domain.session.materials import Materials
from domain.session.outcome_mail_recipients import withdrawal_mail_recipients
from domain.session.recipients import Delivery, RecipientStatus, RecipientVerification
from domain.session.session import Session
from domain.session.signing_links import check_may_open
from domain.shared.errors import RecipientNotActive, RecipientNotFound, SessionNotActive
from domain.shared.ids import ClientId, RecipientId
from tests.builders import NOON, audit, created, identifier, recipient, submission
from tests.domain.situations import ADA, GRACE, all_signed, half_signed, sent

PROGRAM = ClientId("shop")
LATER = NOON + timedelta(days=30)


def by_program(at: AuditContext | None = None) -> AuditContext:
    return (at or audit()).model_copy(update={"program": PROGRAM})


def sent_without_emails(**members: object) -> Session:
    """A session of Ada, who gets no emails, and Grace."""
    session = created(recipient("ada", 1, delivery=Delivery.NONE), recipient("grace", 1)).session
    return session.model_copy(update=members).send(audit()).session


def test_whoever_gets_no_emails_is_invited_without_one() -> None:
    session = created(recipient("ada", 1, delivery=Delivery.NONE), recipient("grace", 1)).session
    step = session.send(audit())
    ada = step.session.recipient(ADA)

    assert (ada.status, ada.invitation.number, ada.has_pending_invitation) == (RecipientStatus.PENDING, 1, False)
    invited = [event.details for event in step.events if event.details.get("invitation")]
    assert [details.get("delivery") for details in invited] == ["none", None]


def test_whoever_gets_no_emails_gets_none_of_any_kind() -> None:
    session = sent_without_emails(reminder_enabled=True).view(ADA, by_program()).session
    due = session.next_reminder_at or session.with_next_reminder(NOON).next_reminder_at
    ended = session.decline(GRACE, "No.", audit()).session

    assert deletion_mails(session, NOON) is None
    assert withdrawal_mail_recipients(session, LATER) == ()
    assert [mail.recipient_id for mail in ended.outcome_mails] == []
    if due:
        assert not session.remind(audit(due)).session.recipient(ADA).reminders
    for act in (lambda: session.invite(ADA, audit()), lambda: remind_recipient(session, ADA, audit(LATER))):
        with pytest.raises(RecipientNotActive, match="Create Signing Url"):
            act()


def test_a_correction_of_whoever_gets_no_emails_sends_none() -> None:
    session = sent_without_emails().view(ADA, by_program()).session
    corrected = correct_recipient(session, ADA, Correction(email="ada@right.example"), audit()).session
    assert corrected.outcome_mails == ()
    assert (corrected.recipient(ADA).invitation.number, corrected.recipient(ADA).has_pending_invitation) == (2, False)


def test_the_first_opening_by_a_program_is_an_event_on_a_known_device_too() -> None:
    by_link = sent().view(ADA, audit())
    opened = by_link.session.view(ADA, by_program())
    again = opened.session.view(ADA, by_program())

    assert [len(step.events) for step in (by_link, opened, again)] == [1, 1, 0]
    assert "program" not in by_link.events[0].details
    assert opened.events[0].details["program"] == PROGRAM


def test_events_of_the_service_name_no_program() -> None:
    step = half_signed().sign(GRACE, submission("grace"), by_program())
    assert [event.details.get("program") for event in step.events] == [PROGRAM, PROGRAM, None]
    assert step.session.recipient(GRACE).program == PROGRAM


@pytest.mark.parametrize(
    ("verification", "identified"),
    [
        (RecipientVerification.NONE, [Identified.PROGRAM, Identified.LINK]),
        (RecipientVerification.EMAIL_CODE, [Identified.PROGRAM_AND_CODE, Identified.CODE]),
    ],
)
def test_the_seal_states_how_each_signer_was_identified(
    verification: RecipientVerification, identified: list[Identified]
) -> None:
    session = sent_without_emails(recipient_verification=verification)
    session = session.sign(ADA, submission(), by_program()).session
    session = session.sign(GRACE, submission("grace"), audit()).session
    materials = Materials.of(session, session.files[0])
    assert [one.identified_by for one in materials.signatories] == identified


def test_documents_are_opened_for_those_whose_turn_it_is_and_those_who_have_signed() -> None:
    assert check_may_open(sent(), ADA, NOON).recipient_id == ADA
    assert check_may_open(half_signed(), ADA, NOON).status is RecipientStatus.COMPLETED
    assert check_may_open(all_signed(), GRACE, LATER).status is RecipientStatus.COMPLETED
    with pytest.raises(RecipientNotFound):
        check_may_open(sent(), RecipientId(identifier("nobody")), NOON)
    with pytest.raises(SessionNotActive):
        check_may_open(sent().archive(audit()).session, ADA, NOON)
    with pytest.raises(SessionNotActive):
        check_may_open(created().session, ADA, NOON)

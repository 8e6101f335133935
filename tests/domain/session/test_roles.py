"""Approvers and recipients of copies beside signers (Specification 2.9, 3.2)."""

from datetime import timedelta

import pytest

from domain.audit.events import EventType
from domain.callbacks.callback import callbacks_of
from domain.session.deletion_mails import deletion_mails
from domain.session.edits import Correction, correct_recipient, find_remindable, remind_recipient
from domain.session.materials import Materials, matches_history
from domain.session.outcome_mail_kinds import CompletionMails
from domain.session.recipients import RecipientRole, RecipientStatus
from domain.session.session import Session, Transition
from domain.session.signing_links import check_may_open, find_by_link, link_hash, link_secret
from domain.session.status import SessionStatus
from domain.session.waiting_for import waiting_for
from domain.shared.errors import AlreadySigned, LinkNotValid, NotYourTurn, RecipientNotActive, SigningError
from domain.shared.ids import RecipientId, UserId
from tests.builders import NOON, audit, created, identifier, recipient, reference, submission

ADA, GRACE, MARY = (RecipientId(identifier(name)) for name in ("ada", "grace", "mary"))
LATER = NOON + timedelta(days=30)
KEY = b"k" * 32


def people(first: RecipientRole = RecipientRole.SIGNER, second: RecipientRole = RecipientRole.APPROVER) -> Session:
    """Ada acts first, Grace second; Mary, who is first in the list, gets a copy."""
    return created(
        recipient("mary", 1, role=RecipientRole.COPY),
        recipient("ada", 2, role=first),
        recipient("grace", 3, role=second),
        callback_url="https://hooks.example.com/",
        sender_email="contracts@northwind.example",
        expiry_days=7,
    ).session


def sent(**changes: object) -> Session:
    return people().model_copy(update=changes).send(audit(), UserId("olivia")).session


def signed(**changes: object) -> Session:
    return sent(**changes).sign(ADA, submission("ada"), audit()).session


def approved(**changes: object) -> Transition:
    return signed(**changes).approve(GRACE, audit())


def generated(**changes: object) -> Session:
    done = approved(**changes).session
    return done.add_signed_document(done.files[0].file_id, reference("signed.pdf"), audit()).session


def statuses(session: Session) -> list[str]:
    return [one.status.value for one in session.recipients]


def test_a_copy_has_no_turn_and_its_order_does_not_count() -> None:
    assert statuses(sent()) == ["waiting", "pending", "waiting"]
    assert statuses(signed()) == ["waiting", "completed", "pending"]
    for act in (
        lambda: sent().view(MARY, audit()),
        lambda: sent().approve(MARY, audit()),
        lambda: sent().decline(MARY, "No.", audit()),
    ):
        with pytest.raises(NotYourTurn):
            act()
    with pytest.raises(RecipientNotActive):
        sent().invite(MARY, audit())
    with pytest.raises(RecipientNotActive):
        remind_recipient(sent(), MARY, audit(LATER - timedelta(days=25)))
    assert [who.key for who in find_remindable(with_delivery(sent()), NOON)] == ["ada"]


def with_delivery(session: Session) -> Session:
    return session.with_delivery(ADA, 1)


def test_an_approval_is_an_event_of_its_own_and_can_be_the_last_act() -> None:
    step = approved()
    grace = step.session.recipient(GRACE)

    assert [event.type for event in step.events] == [EventType.RECIPIENT_APPROVED, EventType.SESSION_COMPLETED]
    assert step.events[0].details == {"recipientId": GRACE}
    assert (step.session.status, step.session.completed_at) == (SessionStatus.COMPLETED, NOON)
    assert (grace.status, grace.completed_at, grace.submission) == (RecipientStatus.COMPLETED, NOON, None)
    with pytest.raises(AlreadySigned):
        step.session.approve(GRACE, audit())


def test_an_approval_can_be_the_first_act() -> None:
    session = people(RecipientRole.APPROVER, RecipientRole.SIGNER).send(audit()).session
    first = session.approve(ADA, audit())
    last = first.session.sign(GRACE, submission("grace"), audit())

    assert (first.session.status, statuses(first.session)[2]) == (SessionStatus.IN_PROGRESS, "pending")
    assert last.session.status is SessionStatus.COMPLETED
    assert matches_history(last.session.recipient(ADA), (*first.events, *last.events))
    assert matches_history(last.session.recipient(GRACE), (*first.events, *last.events))
    assert not matches_history(last.session.recipient(ADA), last.events)
    moved = last.session.recipient(ADA).model_copy(update={"completed_at": LATER})
    assert not matches_history(moved, first.events)


@pytest.mark.parametrize("act", ["sign", "approve"])
def test_each_role_has_its_own_act(act: str) -> None:
    session = sent() if act == "approve" else signed()
    with pytest.raises(RecipientNotActive, match=r"approver|signer"):
        session.approve(ADA, audit()) if act == "approve" else session.sign(GRACE, submission("grace"), audit())


def test_an_approver_can_decline() -> None:
    session = signed().decline(GRACE, "The fee is wrong.", audit()).session
    assert (session.status, statuses(session)) == (SessionStatus.DECLINED, ["cancelled", "completed", "declined"])


def test_a_copy_gets_one_email_and_its_link_when_the_documents_are_ready() -> None:
    session = generated()
    mails = [mail.recipient_id for mail in session.outcome_mails if mail.kind == "completed"]
    assert mails == [MARY, ADA, GRACE, None, None]
    assert statuses(session) == ["completed"] * 3
    link = link_hash(link_secret(KEY, session.session_id, MARY, 1))
    assert find_by_link(KEY, session, link).key == "mary"
    assert check_may_open(session, MARY, LATER).key == "mary"
    with pytest.raises(SigningError):
        find_by_link(KEY, signed(), link)
    with pytest.raises(LinkNotValid):
        find_by_link(KEY, signed(), link_hash(link_secret(KEY, session.session_id, MARY, 2)))
    with pytest.raises(RecipientNotActive, match="gets a copy"):
        check_may_open(signed(), MARY, NOON)


@pytest.mark.parametrize(
    ("mails", "told"), [(CompletionMails.SENDER, [MARY, None, None]), (CompletionMails.NONE, [MARY])]
)
def test_a_copy_is_sent_whoever_else_is_emailed(mails: CompletionMails, told: list[str | None]) -> None:
    about = [mail for mail in generated(completion_mails=mails).outcome_mails if mail.kind == "completed"]
    assert [mail.recipient_id for mail in about] == told


def test_a_copy_learns_of_no_other_end() -> None:
    before = signed()
    ends = [
        before.decline(GRACE, "No.", audit()).session,
        before.expire(audit(LATER)).session,
        before.archive(audit()).session,
    ]
    assert [[mail for mail in end.outcome_mails if mail.recipient_id == MARY] for end in ends] == [[], [], []]
    deleted = deletion_mails(with_delivery(before), NOON)
    assert deleted
    assert [one.recipient_id for one in deleted.recipients] == [ADA]
    assert statuses(ends[2].restore(audit()).session) == statuses(before)


def test_the_address_of_a_copy_is_corrected_without_an_email() -> None:
    corrected = correct_recipient(sent(), MARY, Correction(email="mary@right.example"), audit()).session
    assert (corrected.recipient(MARY).email, corrected.outcome_mails) == ("mary@right.example", ())
    assert corrected.recipient(MARY).invitation.number == 0


def test_the_seal_names_signers_only() -> None:
    session = approved().session
    assert [one.key for one in Materials.of(session, session.files[0]).signatories] == ["ada"]


def test_it_waits_for_signatures_and_approvals() -> None:
    together = created(
        recipient("ada"), recipient("grace", role=RecipientRole.APPROVER), recipient("mary", role=RecipientRole.COPY)
    )
    session = together.session.send(audit()).session.with_delivery(ADA, 1).with_delivery(GRACE, 1)
    assert waiting_for(session) == "Waiting for the signature of Ada and the approval of Grace."
    lost = session.fail_invitation(ADA, 1, "550 No such user", audit()).session
    assert waiting_for(lost).endswith("also waiting for the approval of Grace.")


def test_callbacks_name_the_role_of_those_who_do_not_sign() -> None:
    before = signed()
    step = before.approve(GRACE, audit())
    [told, over] = callbacks_of(before, step.session, step.events)
    assert (told.type, over.type) == ("recipient.approved", "session.completed")
    assert '"role":"approver","status":"completed"' in told.body
    first = sent()
    step = first.sign(ADA, submission("ada"), audit())
    assert '"role"' not in callbacks_of(first, step.session, step.events)[0].body


def test_a_session_without_roles_has_the_same_json_as_before_there_were_any() -> None:
    assert '"role"' not in created().session.model_dump_json()
    assert '"role":"copy"' in people().model_dump_json()

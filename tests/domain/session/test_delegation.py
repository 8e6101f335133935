"""A recipient passes their turn on to another person (Specification 3.8)."""

from datetime import timedelta

import pytest

from domain.audit.events import ActorKind, EventType, names_at_events
from domain.callbacks.callback import callbacks_of
from domain.session.delegation import MAX_DELEGATIONS, Delegate, delegate, may_delegate
from domain.session.edits import Correction, correct_recipient
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.recipients import Delivery, RecipientRole, RecipientStatus
from domain.session.session import Session, Transition
from domain.session.signing_links import LinkDelegated, find_by_link, link_hash, link_secret
from domain.shared.errors import AddressTaken, NotYourTurn, RecipientNotActive, SessionNotActive, SigningError, TooOften
from domain.shared.ids import UserId
from tests.builders import NOON, audit, created, recipient, submission
from tests.domain.situations import ADA, GRACE

MARY = Delegate(name="Mary Jackson", email="mary@example.com", reason="She is the new director.")
KEY = b"k" * 32
BY_ADA = audit(kind=ActorKind.RECIPIENT)


def sent(**settings: object) -> Session:
    people = (recipient("ada", 1, role=RecipientRole.APPROVER), recipient("grace", 2))
    step = created(*people, callback_url="https://hooks.example.com/", sender_email="contracts@northwind.example")
    session = step.session.model_copy(update={"delegation": True, **settings})
    return session.send(audit(), UserId("olivia")).session.with_delivery(ADA, 1)


def passed_on(session: Session | None = None, to: Delegate = MARY) -> Transition:
    return delegate((session or sent()).view(ADA, BY_ADA).session, ADA, to, BY_ADA)


def link(session: Session, invitation: int) -> str:
    return link_hash(link_secret(KEY, session.session_id, ADA, invitation))


def test_the_other_person_is_invited_and_the_earlier_link_says_who_it_is() -> None:
    step = passed_on()
    ada = step.session.recipient(ADA)

    assert [event.type for event in step.events] == [EventType.RECIPIENT_DELEGATED, EventType.RECIPIENT_INVITED]
    assert step.events[0].actor == BY_ADA.actor
    assert step.events[0].details == {
        "recipientId": ADA,
        "previousName": "Ada",
        "name": "Mary Jackson",
        "previousEmail": "ada@example.com",
        "email": "mary@example.com",
        "reason": "She is the new director.",
    }
    assert (ada.name, ada.email, ada.key, ada.role) == ("Mary Jackson", "mary@example.com", "ada", "approver")
    assert (ada.status, ada.viewed_at, ada.has_pending_invitation) == (RecipientStatus.PENDING, None, True)
    assert find_by_link(KEY, step.session, link(step.session, 2)).key == "ada"
    with pytest.raises(LinkDelegated) as refused:
        find_by_link(KEY, step.session, link(step.session, 1))
    assert refused.value.delegation.to_name == "Mary Jackson"
    assert [names[ADA] for names in names_at_events(step.events, {ADA: "Mary Jackson"})] == ["Ada", "Mary Jackson"]


def test_the_sender_is_emailed_and_the_earlier_holder_is_not() -> None:
    mails = passed_on().session.due_outcome_mails
    assert [(mail.kind, mail.recipient_id, mail.user_id) for mail in mails] == [
        (OutcomeMailKind.DELEGATED, None, None), (OutcomeMailKind.DELEGATED, None, UserId("olivia")),
    ]  # fmt: skip
    assert {mail.delegation and mail.delegation.to_name for mail in mails} == {"Mary Jackson"}


def test_a_callback_names_the_new_holder() -> None:
    before = sent()
    step = delegate(before, ADA, MARY, BY_ADA)
    [told] = callbacks_of(before, step.session, step.events)
    assert told.type == "recipient.delegated"
    assert '"name":"Mary Jackson","email":"mary@example.com"' in told.body


def test_it_is_passed_on_a_bounded_number_of_times() -> None:
    session = sent()
    for number in range(MAX_DELEGATIONS):
        assert may_delegate(session, session.recipient(ADA))
        to = MARY.model_copy(update={"email": f"mary{number}@example.com"})
        session = delegate(session, ADA, to, BY_ADA).session
    assert not may_delegate(session, session.recipient(ADA))
    with pytest.raises(RecipientNotActive, match="3 times"):
        delegate(session, ADA, MARY, BY_ADA)
    for invitation in range(1, MAX_DELEGATIONS + 1):
        with pytest.raises(LinkDelegated):
            find_by_link(KEY, session, link(session, invitation))


@pytest.mark.parametrize("email", ["ada@example.com", "grace@example.com"])
def test_it_goes_to_nobody_who_is_a_recipient_already(email: str) -> None:
    with pytest.raises(AddressTaken):
        passed_on(to=MARY.model_copy(update={"email": email}))


def test_it_is_refused_where_it_is_not_allowed() -> None:
    without_emails = created(recipient("ada", 1, delivery=Delivery.NONE), delegation=True).session.send(audit()).session
    refused: list[tuple[Session, type[SigningError]]] = [
        (sent(delegation=False), RecipientNotActive),
        (without_emails, RecipientNotActive),
        (sent().archive(audit()).session, SessionNotActive),
        (sent().model_copy(update={"expires_at": NOON}), SessionNotActive),
    ]
    for session, error in refused:
        with pytest.raises(error):
            delegate(session, ADA, MARY, audit(NOON + timedelta(hours=1)))
    with pytest.raises(NotYourTurn):
        delegate(sent(), GRACE, MARY, BY_ADA)
    many = sent().recipient(ADA).model_copy(update={"invited_at": (NOON,) * 10})
    with pytest.raises(TooOften):
        delegate(sent().with_recipient(many), ADA, MARY, BY_ADA)


def test_a_later_correction_is_no_delegation() -> None:
    session = passed_on().session
    assert session.recipient(ADA).delegation
    corrected = correct_recipient(session, ADA, Correction(email="mary@right.example"), audit()).session
    assert corrected.recipient(ADA).delegation is None
    assert len(corrected.recipient(ADA).delegations) == 1


def test_the_session_goes_on_with_the_other_person() -> None:
    session = passed_on().session.approve(ADA, audit()).session.sign(GRACE, submission("grace"), audit()).session
    assert session.status == "completed"
    assert '"delegation"' not in created().session.model_dump_json()
    assert '"delegations"' not in created().session.model_dump_json()

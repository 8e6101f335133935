"""What the emails of a session with roles and delegations are made from."""

from activities.interface import InvitationRequest, OutcomeMailRequest
from domain.session.recipients import RecipientRole
from domain.session.sender import Sender
from domain.session.session import Session
from tests.builders import audit
from tests.domain.session.test_delegation import passed_on
from tests.domain.session.test_roles import ADA, GRACE, MARY, approved, generated, sent, signed
from workflows.session.email_requests import due_emails


def invitations(session: Session) -> list[InvitationRequest]:
    return [email for email in due_emails(session).values() if isinstance(email, InvitationRequest)]


def notices(session: Session) -> list[OutcomeMailRequest]:
    return [email for email in due_emails(session).values() if isinstance(email, OutcomeMailRequest)]


def test_an_invitation_has_the_role_of_its_recipient() -> None:
    [first], [*_, second] = invitations(sent()), invitations(signed())
    assert (first.role, first.delegation) == (RecipientRole.SIGNER, None)
    assert (second.role, second.recipient_name) == (RecipientRole.APPROVER, "Grace")
    assert '"role"' not in first.model_dump_json()


def test_a_copy_has_a_link_of_its_own() -> None:
    by_recipient = {mail.notice.recipient_id: mail for mail in notices(generated())}
    copy = by_recipient[MARY]
    assert (copy.role, copy.link and copy.link.invitation) == (RecipientRole.COPY, 1)
    assert [by_recipient[who].role for who in (ADA, GRACE)] == [RecipientRole.SIGNER, RecipientRole.APPROVER]


def test_the_sending_user_is_told_who_did_what_of_how_many() -> None:
    [confirmation, told] = notices(signed())
    assert (confirmation.to_name, confirmation.notice.user_id, confirmation.signer) == ("Ada", None, None)
    assert confirmation.link is not None
    assert (told.signer, told.signed, told.signers, told.has_approvers) == ("Ada", 1, 2, True)
    assert told.actor_role is RecipientRole.SIGNER
    ends = notices(signed().decline(GRACE, "No.", audit()).session)
    assert {end.actor_role for end in ends} == {RecipientRole.APPROVER}
    assert notices(approved().session) == []


def test_the_other_person_reads_who_passed_it_on() -> None:
    session = passed_on().session
    [invitation] = invitations(session)
    assert (invitation.recipient_name, invitation.role) == ("Mary Jackson", RecipientRole.APPROVER)
    assert invitation.delegation
    assert (invitation.delegation.name, invitation.delegation.reason) == ("Ada", "She is the new director.")
    assert {mail.notice.delegation for mail in notices(session)} == {invitation.delegation}


def test_answers_go_to_the_person_who_asks_and_to_the_organisation_without_one() -> None:
    robin = Sender(name="Robin Finch", email="robin@northwind.example")
    named = generated().model_copy(update={"sender": robin, "sender_email": "contracts@northwind.example"})
    unnamed = named.model_copy(update={"sender": None})

    assert {(mail.sender_name, mail.reply_to) for mail in notices(named) if mail.link} == {(robin.name, robin.email)}
    assert {(mail.sender_name, mail.reply_to) for mail in notices(unnamed) if mail.link} == {
        (None, "contracts@northwind.example")
    }
    assert all("sender_name" not in mail.model_dump_json() for mail in notices(unnamed))


def test_invitations_of_one_person_in_two_parts_are_numbered() -> None:
    def sharing(session: Session) -> Session:
        first, *others = [one for one in session.recipients if not one.gets_copy]
        same = {one.recipient_id: one.model_copy(update={"email": first.email.upper()}) for one in others}
        people = tuple(same.get(one.recipient_id, one) for one in session.recipients)
        return session.model_copy(update={"recipients": people})

    [first], [*_, second] = invitations(sharing(sent())), invitations(sharing(signed()))
    assert (first.part, second.part) == ((1, 2), (2, 2))
    [alone] = invitations(sent())
    assert '"part"' not in alone.model_dump_json()

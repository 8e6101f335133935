"""Mails of a session: one link, one mail for each cause, the same on every try."""

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.interface import MAIL_REJECTED
from activities.session_mails import SessionMailActivities
from domain.session.reminders_and_outcome_mails import OutcomeMailKind
from domain.session.signing_links import link_hash, link_secret, read_token
from ports.mail import Mail, MailNotSent, MailRejected
from tests.activities.sample_mails import LINK, invitation, notice, reminder
from tests.builders import ORGANISATION
from tests.fakes.mail import MemoryMailer


async def invite(mailer: MemoryMailer, **members: str | None) -> None:
    environment, inviting = ActivityEnvironment(), SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    await environment.run(inviting.send_invitation, invitation(**members))


async def test_the_link_in_the_mail_is_that_of_the_invitation() -> None:
    mailer = MemoryMailer()
    await invite(mailer)
    [mail] = mailer.sent
    address = link_in(mail)
    link = read_token(address.removeprefix("https://sign.example.com/sign/"))
    assert (link.organisation_id, link.session_id) == (ORGANISATION, LINK.session_id)
    assert link.link_hash == link_hash(link_secret(b"k" * 32, LINK.session_id, LINK.recipient_id, LINK.invitation))
    assert address in mail.html


async def test_a_second_try_sends_the_same_mail_so_that_it_arrives_once() -> None:
    mailer, again = MemoryMailer(), MemoryMailer()
    await invite(mailer)
    await invite(mailer)
    await invite(again)
    assert len(mailer.sent) == 1
    assert mailer.sent == again.sent


async def test_a_reminder_is_a_mail_of_its_own_with_the_link_of_the_invitation() -> None:
    mailer, environment = MemoryMailer(), ActivityEnvironment()
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    await environment.run(inviting.send_invitation, invitation())
    for _ in range(2):
        await environment.run(inviting.send_reminder, reminder())

    first, second = mailer.sent
    assert second.message_id.startswith(f"reminder.{LINK.session_id}.{LINK.recipient_id}.3@undersign-")
    assert (second.subject, second.sent_at) == (
        "Reminder: please sign: Consulting agreement",
        reminder().due_at,
    )
    assert link_in(first) == link_in(second)


async def test_the_mail_about_the_signed_documents_holds_the_link_that_they_were_signed_with() -> None:
    mailer, environment = MemoryMailer(), ActivityEnvironment()
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    await environment.run(inviting.send_invitation, invitation())
    for to_sender in (False, True):
        request = notice(OutcomeMailKind.COMPLETED, to_sender=to_sender)
        await environment.run(inviting.send_outcome_mail, request)

    asked, told, sender = mailer.sent
    assert link_in(asked) == link_in(told)
    assert "/sign/" not in sender.text
    assert f"/app/sessions/{request.session_id}" in sender.text


@pytest.mark.parametrize("kind", [OutcomeMailKind.DECLINED, OutcomeMailKind.EXPIRED, OutcomeMailKind.CANCELLED])
async def test_a_mail_about_a_session_that_ended_otherwise_holds_no_link(kind: OutcomeMailKind) -> None:
    mailer = MemoryMailer()
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    await ActivityEnvironment().run(inviting.send_outcome_mail, notice(kind))
    assert "https://" not in mailer.sent[0].text


async def test_a_mail_that_is_refused_for_good_is_not_tried_again() -> None:
    mailer = MemoryMailer()
    mailer.failure = MailRejected("550 5.1.1 no such user")
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    with pytest.raises(ApplicationError, match=r"550 5\.1\.1 no such user") as raised:
        await ActivityEnvironment().run(inviting.send_outcome_mail, notice(OutcomeMailKind.CANCELLED))
    assert (raised.value.type, raised.value.non_retryable) == (MAIL_REJECTED, True)


async def test_a_mail_that_is_not_taken_now_is_tried_again() -> None:
    mailer = MemoryMailer()
    mailer.failure = MailNotSent("421 4.3.2 going down")
    inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
    with pytest.raises(MailNotSent):
        await ActivityEnvironment().run(inviting.send_outcome_mail, notice(OutcomeMailKind.CANCELLED))


def link_in(mail: Mail) -> str:
    return next(line for line in mail.text.splitlines() if line.startswith("https://"))

"""Invitations: one link, one mail, the same on every try."""

from datetime import UTC, datetime, timedelta

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.interface import InvitationRequest, IssueLinkRequest, ReminderRequest
from activities.inviting import Inviting
from domain.ids import RecipientId, SessionId
from domain.links import read_token
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.mail import MemoryMailer

LINK = IssueLinkRequest(
    organisation_id=ORGANISATION,
    session_id=SessionId(identifier("session")),
    recipient_id=RecipientId(identifier("ada")),
    invitation=1,
)


def invitation(link_hash: str, **members: str | None) -> InvitationRequest:
    return InvitationRequest.model_validate(
        {
            "link": LINK,
            "link_hash": link_hash,
            "organisation_name": "Northwind Trading",
            "session_name": "Consulting agreement",
            "message": "Please have a look.",
            "recipient_name": "Ada Lovelace",
            "recipient_email": "ada@example.com",
            "invited_at": NOON,
            **members,
        }
    )


async def invite(mailer: MemoryMailer, **members: str | None) -> None:
    environment, inviting = ActivityEnvironment(), Inviting(mailer, b"k" * 32, "https://sign.example.com")
    issued = await environment.run(inviting.issue_link, LINK)
    await environment.run(inviting.send_invitation, invitation(issued.link_hash, **members))


async def test_the_link_in_the_mail_is_the_one_that_was_issued() -> None:
    mailer = MemoryMailer()
    await invite(mailer)
    [mail] = mailer.sent
    address = next(line for line in mail.text.splitlines() if line.startswith("https://"))
    link = read_token(address.removeprefix("https://sign.example.com/sign/"))
    assert (link.organisation_id, link.session_id) == (ORGANISATION, LINK.session_id)
    issued = await ActivityEnvironment().run(Inviting(mailer, b"k" * 32, "").issue_link, LINK)
    assert link.link_hash == issued.link_hash
    assert address in mail.html


async def test_a_second_try_sends_the_same_mail_so_that_it_arrives_once() -> None:
    mailer, again = MemoryMailer(), MemoryMailer()
    await invite(mailer)
    await invite(mailer)
    await invite(again)
    assert len(mailer.sent) == 1
    assert mailer.sent == again.sent


async def test_names_and_messages_are_text_and_never_markup() -> None:
    mailer = MemoryMailer()
    await invite(mailer, recipient_name="<b>Ada</b>", message="a & b\n<script>")
    [mail] = mailer.sent
    assert "<b>Ada" not in mail.html
    assert "&lt;script&gt;" in mail.html
    assert "<b>Ada</b>" in mail.text


async def test_the_mail_reads_well_without_a_message() -> None:
    mailer = MemoryMailer()
    await invite(mailer, message=None)
    assert "\n\n\n" not in mailer.sent[0].text
    assert "<blockquote>" not in mailer.sent[0].html


async def test_a_mail_whose_link_would_not_work_is_not_sent() -> None:
    mailer = MemoryMailer()
    inviting = Inviting(mailer, b"another key".ljust(32), "https://sign.example.com")
    with pytest.raises(ApplicationError, match="earlier key"):
        await ActivityEnvironment().run(inviting.send_invitation, invitation("0" * 64))
    assert mailer.sent == []


async def test_a_reminder_is_a_mail_of_its_own_with_the_link_of_the_invitation() -> None:
    mailer, environment = MemoryMailer(), ActivityEnvironment()
    inviting = Inviting(mailer, b"k" * 32, "https://sign.example.com")
    issued = await environment.run(inviting.issue_link, LINK)
    asked = invitation(issued.link_hash)
    await environment.run(inviting.send_invitation, asked)
    for _ in range(2):
        request = ReminderRequest(**dict(asked), reminder=3, due_at=NOON + timedelta(days=3))
        await environment.run(inviting.send_reminder, request)

    first, reminder = mailer.sent
    assert reminder.message_id == f"reminder.{LINK.session_id}.{LINK.recipient_id}.3@undersign"
    assert (reminder.subject, reminder.sent_at) == ("Reminder: please sign: Consulting agreement", request.due_at)
    assert [line for line in reminder.text.splitlines() if line.startswith("https")] == [
        line for line in first.text.splitlines() if line.startswith("https")
    ]
    assert "still waits for your signature" in reminder.html


async def test_the_mail_says_until_when_it_can_be_signed() -> None:
    mailer, environment = MemoryMailer(), ActivityEnvironment()
    inviting = Inviting(mailer, b"k" * 32, "https://sign.example.com")
    issued = await environment.run(inviting.issue_link, LINK)
    asked = invitation(issued.link_hash).model_copy(update={"expires_at": datetime(2027, 1, 3, 9, 5, tzinfo=UTC)})
    await environment.run(inviting.send_invitation, asked)

    [mail] = mailer.sent
    assert "You can sign until 3 January 2027, 09:05 UTC." in mail.text
    assert "You can sign until 3 January 2027, 09:05 UTC." in mail.html

"""Invitations: one link, one mail, the same on every try."""

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.interface import InvitationRequest, IssueLinkRequest
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

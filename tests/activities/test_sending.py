"""Every kind of mail through a real mail server that loses its answer: the second try is the first, byte for byte."""

import pytest
from aiosmtpd.smtp import Envelope
from temporalio.testing import ActivityEnvironment

from activities.session_mails import SessionMailActivities
from adapters.mail.smtp import SmtpMailer
from adapters.mail.smtp_url import SmtpServer
from domain.session.reminders_and_outcome_mails import OutcomeMailKind
from ports.mail import MailNotSent
from tests.activities.sample_mails import LINK, invitation, notice, reminder
from tests.adapters.smtp_server import Behaviour, smtp_server

KINDS = ("invitation", "reminder", *OutcomeMailKind)


async def taken_from_two_tries(kind: str) -> list[Envelope]:
    """What the server took of a mail of that kind when its first answer was lost."""
    environment, behaviour = ActivityEnvironment(), Behaviour(hangs_up_after_data=1)
    async with smtp_server(behaviour) as port:
        mailer = SmtpMailer(SmtpServer.at(f"smtp-plain://127.0.0.1:{port}"), "undersign@sign.example.com")
        inviting = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")

        async def send() -> None:
            if kind == "invitation":
                await environment.run(inviting.send_invitation, invitation())
            elif kind == "reminder":
                await environment.run(inviting.send_reminder, reminder())
            else:
                await environment.run(inviting.send_outcome_mail, notice(OutcomeMailKind(kind)))

        with pytest.raises(MailNotSent):
            await send()
        await send()
    return behaviour.taken


@pytest.mark.parametrize("kind", KINDS)
async def test_after_a_lost_answer_the_same_mail_leaves_again_and_no_other(kind: str) -> None:
    first, second = await taken_from_two_tries(kind)
    assert first.content == second.content
    assert isinstance(first.content, bytes)
    assert f"Message-ID: <{kind}.{LINK.session_id}".encode() in first.content

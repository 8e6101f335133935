"""The demonstration finds its service and its mails."""

from datetime import timedelta
from pathlib import Path

import pytest

import application.schemas.session_read
from adapters.mail.file_mailer import FileMailer
from cli.data_directory import write_dev_info
from cli.demo.command import await_invitation, find_service
from cli.output import NotRunning
from domain.ports.mail import Mail
from domain.session.signing_links import make_token
from domain.shared.ids import SessionId
from tests.builders import NOON, ORGANISATION, identifier, recipient
from tests.cli.dev.dev_info import DEV_INFO
from undersign.models import RecipientRead

ADA = RecipientRead.model_validate(
    application.schemas.session_read.RecipientRead.from_recipient(recipient("ada")).model_dump()
)


def link(session: str, secret: bytes) -> str:
    token = make_token(ORGANISATION, SessionId(identifier(session)), secret * 32)
    return f"http://127.0.0.1:8080/sign/{token}"


def mail(session: str, email: str, secret: bytes, minutes: int = 0) -> Mail:
    return Mail(
        message_id=f"{session}-{email}-{minutes}@example.com",
        to_name="Ada",
        to_email=email,
        from_name="Harbour & Finch",
        subject="Please sign",
        text=f"Open this link:\n\n{link(session, secret)}\n",
        html="",
        sent_at=NOON + timedelta(minutes=minutes),
    )


async def test_the_newest_invitation_of_the_recipient_to_the_session_is_found(tmp_path: Path) -> None:
    outbox = FileMailer(tmp_path, "undersign@localhost")
    await outbox.send(mail("one", "ada@example.com", b"a"))
    await outbox.send(mail("two", "ada@example.com", b"b"))
    await outbox.send(mail("one", "g@x.org", b"c"))
    assert await_invitation(tmp_path, identifier("one"), ADA) == link("one", b"a")

    await outbox.send(mail("one", "ada@example.com", b"b", minutes=5))
    assert await_invitation(tmp_path, identifier("one"), ADA) == link("one", b"b")


def test_without_a_service_the_error_names_the_command(tmp_path: Path, unused_tcp_port: int) -> None:
    with pytest.raises(NotRunning, match="make run"):
        find_service(tmp_path)
    # A service that was killed leaves its file behind.
    write_dev_info(tmp_path, DEV_INFO.model_copy(update={"api_url": f"http://127.0.0.1:{unused_tcp_port}"}))
    with pytest.raises(NotRunning):
        find_service(tmp_path)

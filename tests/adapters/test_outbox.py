"""The local outbox keeps each mail once, as a file that mail programs read."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from adapters.mail.outbox import OutboxMailer, read_outbox
from adapters.mail.port import Mail, Mailer, MailNotSent
from tests.builders import NOON
from tests.fakes.mail import MemoryMailer

LINK = "https://sign.example.com/sign/" + "a" * 86
MAIL = Mail(
    message_id="invitation.1@undersign",
    to_name="Zoë Ångström",
    to_email="zoe@example.com",
    from_name="Northwind, Ltd. via Undersign",
    subject="Please sign: Vereinbarung über Beratung",
    text=f"Hello Zoë,\n\n{LINK}\n",
    html=f'<p>Hello Zoë, <a href="{LINK}">read</a></p>',
    sent_at=NOON,
)


def written(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


async def test_a_mail_is_read_as_it_was_written(tmp_path: Path) -> None:
    await OutboxMailer(tmp_path, "undersign@localhost").send(MAIL)
    [entry] = read_outbox(tmp_path)
    assert (entry.subject, entry.sent_at) == (MAIL.subject, NOON)
    assert entry.text.replace("\r\n", "\n") == MAIL.text
    assert LINK in entry.html
    message = message_from_bytes(written(tmp_path)[0], policy=default)
    assert message["Message-ID"] == "<invitation.1@undersign>"
    assert [address.display_name for address in message["To"].addresses] == ["Zoë Ångström"]
    assert [address.addr_spec for address in message["From"].addresses] == ["undersign@localhost"]


@pytest.mark.parametrize("kind", ["outbox", "memory"])
async def test_the_same_mail_handed_over_again_is_there_once(tmp_path: Path, kind: str) -> None:
    memory = MemoryMailer()
    mailer: Mailer = memory if kind == "memory" else OutboxMailer(tmp_path, "undersign@localhost")
    await asyncio.gather(*(mailer.send(MAIL) for _ in range(5)))
    await mailer.send(replace(MAIL, message_id="invitation.2@undersign"))
    assert (len(memory.sent) if kind == "memory" else len(read_outbox(tmp_path))) == 2


async def test_the_same_mail_is_the_same_file(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        await OutboxMailer(tmp_path / folder, "undersign@localhost").send(MAIL)
    assert written(tmp_path / "one") == written(tmp_path / "two")


async def test_the_newest_mail_comes_first(tmp_path: Path) -> None:
    mailer = OutboxMailer(tmp_path, "undersign@localhost")
    for hours in (2, 0, 1):
        mail = replace(MAIL, message_id=f"{hours}@undersign", sent_at=NOON + timedelta(hours=hours))
        await mailer.send(mail)
    assert [entry.sent_at.hour for entry in read_outbox(tmp_path)] == [14, 13, 12]
    assert read_outbox(tmp_path / "nothing") == []


async def test_no_name_can_smuggle_in_a_header(tmp_path: Path) -> None:
    evil = "Zoë\r\nBcc: everybody@example.com"
    await OutboxMailer(tmp_path, "undersign@localhost").send(replace(MAIL, to_name=evil, from_name=evil, subject=evil))
    message = message_from_bytes(written(tmp_path)[0], policy=default)
    assert message["Bcc"] is None
    assert len(message["To"].addresses) == 1


async def test_an_outbox_that_cannot_be_written_means_that_the_mail_was_not_sent(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file where the folder should be")
    with pytest.raises(MailNotSent):
        await OutboxMailer(tmp_path / "outbox", "undersign@localhost").send(MAIL)

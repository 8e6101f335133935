"""The local outbox keeps each mail once, as a file that mail programs read."""

import asyncio
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from adapters.mail.file_mailer import FileMailer
from application.mail_outbox import read_outbox
from domain.ports.mail import LOGO_ID, Logo, Mailer, MailNotSent, MailRejected
from tests.builders import NOON
from tests.fakes import mail as letter
from tests.fakes.mail import MemoryMailer

LINK = "https://sign.example.com/sign/" + "a" * 86
MAIL = replace(letter.MAIL, text=f"Hello Zoë,\n\n{LINK}\n", html=f'<p>Hello Zoë, <a href="{LINK}">read</a></p>')


def written(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


async def test_a_mail_is_read_as_it_was_written(tmp_path: Path) -> None:
    await FileMailer(tmp_path, "undersign@localhost").send(MAIL)
    [entry] = read_outbox(tmp_path)
    assert (entry.subject, entry.sent_at) == (MAIL.subject, NOON)
    assert entry.text.replace("\r\n", "\n") == MAIL.text
    assert LINK in entry.html
    message = message_from_bytes(written(tmp_path)[0], policy=default)
    assert message["Message-ID"] == "<invitation.1@undersign>"
    assert [address.display_name for address in message["To"].addresses] == ["Zoë Ångström"]
    assert [address.addr_spec for address in message["From"].addresses] == ["undersign@localhost"]


@pytest.mark.parametrize("name", ["zoe", "zoë"])
async def test_a_domain_is_written_in_ascii_and_the_name_before_it_as_it_is(tmp_path: Path, name: str) -> None:
    await FileMailer(tmp_path, "undersign@localhost").send(replace(MAIL, to_email=f"{name}@büro.example"))
    [entry] = read_outbox(tmp_path)
    assert entry.to.endswith(f"<{name}@xn--bro-hoa.example>")
    message = message_from_bytes(written(tmp_path)[0], policy=default)
    assert name == "zoë" or message["To"].defects == ()


@pytest.mark.parametrize(
    "address", ["", "zoe", "zoe@example.com, eve@example.com", "zoe@example.com\r\nBcc: eve@example.com"]
)
async def test_invalid_addresses_are_rejected(tmp_path: Path, address: str) -> None:
    with pytest.raises(MailRejected):
        await FileMailer(tmp_path, "undersign@localhost").send(replace(MAIL, to_email=address))
    assert written(tmp_path) == []


@pytest.mark.parametrize("kind", ["outbox", "memory"])
async def test_the_same_mail_handed_over_again_is_there_once(tmp_path: Path, kind: str) -> None:
    memory = MemoryMailer()
    mailer: Mailer = memory if kind == "memory" else FileMailer(tmp_path, "undersign@localhost")
    await asyncio.gather(*(mailer.send(MAIL) for _ in range(5)))
    await mailer.send(replace(MAIL, sent_at=NOON + timedelta(hours=1)))
    await mailer.send(replace(MAIL, message_id="invitation.2@undersign"))
    assert (len(memory.sent) if kind == "memory" else len(read_outbox(tmp_path))) == 2


async def test_the_newest_mail_comes_first(tmp_path: Path) -> None:
    mailer = FileMailer(tmp_path, "undersign@localhost")
    for milliseconds in (2, 0, 3_600_000, 1):
        sent_at = NOON + timedelta(milliseconds=milliseconds)
        await mailer.send(
            replace(MAIL, message_id=f"{milliseconds}@undersign", subject=str(milliseconds), sent_at=sent_at)
        )
    assert [entry.subject for entry in read_outbox(tmp_path)] == ["3600000", "2", "1", "0"]
    assert read_outbox(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë\r\nBcc: everybody@example.com", "Zoë Bcc: everybody@example.com"),
        ("Zoë\u2028\x85\x0b\x1c\x00Bcc: everybody@example.com", "Zoë Bcc: everybody@example.com"),
        ("=?utf-8?q?Zo=0D=0ABcc:_everybody@example.com?=", "= ?utf-8?q?Zo=0D=0ABcc:_everybody@example.com?="),
        ('Zoë" <eve@example.com>, "', 'Zoë" <eve@example.com>, "'),
    ],
)
async def test_no_name_can_smuggle_in_a_header_or_an_address(tmp_path: Path, name: str, shown: str) -> None:
    await FileMailer(tmp_path, "undersign@localhost").send(replace(MAIL, to_name=name, from_name=name, subject=name))
    message = message_from_bytes(written(tmp_path)[0], policy=default)
    assert message["Bcc"] is None
    assert message["Subject"] == shown
    for header, address in (("To", MAIL.to_email), ("From", "undersign@localhost")):
        assert [(each.display_name, each.addr_spec) for each in message[header].addresses] == [(shown, address)]


async def test_an_outbox_that_cannot_be_written_means_that_the_mail_was_not_sent(tmp_path: Path) -> None:
    (tmp_path / "outbox").write_text("a file where the folder should be")
    with pytest.raises(MailNotSent):
        await FileMailer(tmp_path / "outbox", "undersign@localhost").send(MAIL)


async def test_a_browser_sees_the_logo_of_a_mail_in_the_outbox(tmp_path: Path) -> None:
    letter = replace(MAIL, html=f'<img src="cid:{LOGO_ID}">', logo=Logo(b"a picture", 120, 32))
    await FileMailer(tmp_path, "undersign@example.com").send(letter)
    [entry] = read_outbox(tmp_path)
    assert entry.html.strip() == f'<img src="data:image/png;base64,{b64encode(b"a picture").decode()}">'

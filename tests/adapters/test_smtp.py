"""Mail by SMTP, on a real server: what is taken, what is tried again, and what never will be."""

import ssl
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from aiosmtpd.smtp import Envelope

from adapters.mail.file_mailer import FileMailer
from adapters.mail.smtp import MAX_ANSWER, SmtpMailer, open_mailer
from adapters.mail.smtp_url import SmtpServer, SmtpUrlInvalid
from ports.mail import Mail, MailNotSent, MailRejected
from tests.adapters.certificates import make_certificate
from tests.adapters.smtp_server import Behaviour, smtp_server
from tests.builders import NOON

FROM = "undersign@sign.example.com"
MAIL = Mail(
    message_id="invitation.1@undersign",
    to_name="Zoë Ångström",
    to_email="zoe@example.com",
    from_name="Northwind, Ltd. via Undersign",
    subject="Please sign: Vereinbarung über Beratung",
    text="Hello Zoë,\n\n.a line that begins with a point\n",
    html="<p>Hello Zoë</p>",
    sent_at=NOON,
)


def mailer(port: int, scheme: str = "smtp-plain", login: str = "", trust: ssl.SSLContext | None = None) -> SmtpMailer:
    server = SmtpServer.at(f"{scheme}://{login}127.0.0.1:{port}")
    return SmtpMailer(server, FROM, trust=trust, command_timeout=60)


def read(envelope: Envelope) -> EmailMessage:
    assert isinstance(envelope.content, bytes)
    message = message_from_bytes(envelope.content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


async def failure(behaviour: Behaviour, kind: type[Exception], mail: Mail = MAIL) -> str:
    """What sending `mail` to a server of that behaviour fails with."""
    async with smtp_server(behaviour) as port:
        with pytest.raises(kind) as raised:
            await mailer(port).send(mail)
    return str(raised.value)


async def test_a_mail_arrives_as_it_was_handed_over() -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        await mailer(port).send(replace(MAIL, reply_to="contracts@northwind.example"))
    [envelope] = behaviour.taken
    assert (envelope.mail_from, envelope.rcpt_tos) == (FROM, ["zoe@example.com"])
    message = read(envelope)
    assert message["Message-ID"] == "<invitation.1@undersign>"
    assert message["Subject"] == MAIL.subject
    assert message["Reply-To"] == "contracts@northwind.example"
    assert message["Auto-Submitted"] == "auto-generated"
    text = message.get_body(("plain",))
    assert text is not None
    assert text.get_content().replace("\r\n", "\n") == MAIL.text


@pytest.mark.parametrize("answer", ["450 4.2.1 busy", "421 4.3.2 going down", "452 4.2.2 full for now"])
async def test_what_the_server_does_not_take_now_is_to_be_tried_again(answer: str) -> None:
    assert answer in await failure(Behaviour(to_recipient=answer), MailNotSent)
    assert answer in await failure(Behaviour(to_content=answer), MailNotSent)


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "552 5.2.2 full", "554 5.7.1 no"])
async def test_an_address_or_a_mail_that_the_server_refuses_for_good_is_rejected(answer: str) -> None:
    assert answer in await failure(Behaviour(to_recipient=answer), MailRejected)
    assert answer in await failure(Behaviour(to_content=answer), MailRejected)


async def test_a_fault_of_the_set_up_rejects_no_mail() -> None:
    assert "UNDERSIGN_MAIL_FROM" in await failure(Behaviour(to_sender="553 5.7.1 not yours"), MailNotSent)
    assert "530" in await failure(Behaviour(to_recipient="530 5.7.0 log in first"), MailNotSent)


async def test_an_answer_is_told_in_one_line_of_ascii() -> None:
    told = await failure(Behaviour(to_recipient="550-no\r\n550 ünd nö " + "x" * 400), MailRejected)
    assert told.isascii()
    assert told.isprintable()
    assert len(told) < MAX_ANSWER + 40


async def test_a_server_that_hangs_is_given_up_in_time() -> None:
    behaviour = Behaviour(hangs_at_rcpt=True)
    async with smtp_server(behaviour) as port:
        impatient = SmtpMailer(SmtpServer.at(f"smtp-plain://127.0.0.1:{port}"), FROM, command_timeout=0.2)
        with pytest.raises(MailNotSent, match="in time"):
            await impatient.send(MAIL)


async def test_where_nobody_listens_the_mail_is_to_be_tried_again() -> None:
    async with smtp_server(Behaviour()) as port:
        pass
    with pytest.raises(MailNotSent, match="connection to the mail server failed"):
        await mailer(port).send(MAIL)


async def test_after_a_lost_answer_the_second_try_is_the_same_bytes_with_the_same_message_id() -> None:
    behaviour = Behaviour(hangs_up_after_data=1)
    async with smtp_server(behaviour) as port:
        with pytest.raises(MailNotSent):
            await mailer(port).send(MAIL)
        await mailer(port).send(MAIL)
    first, second = behaviour.taken
    assert first.content == second.content
    assert read(first)["Message-ID"] == "<invitation.1@undersign>"


Trust = tuple[ssl.SSLContext, ssl.SSLContext]


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> Trust:
    """The server's side of TLS, and that of somebody who believes its certificate."""
    certificate = make_certificate(tmp_path_factory.mktemp("tls"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    return server, ssl.create_default_context(cafile=str(certificate))


async def test_smtp_begins_plainly_and_becomes_tls_before_it_logs_in(contexts: Trust) -> None:
    server, trust = contexts
    behaviour = Behaviour()
    async with smtp_server(behaviour, starttls=server, needs_login=True) as port:
        await mailer(port, "smtp", "undersign:p%40ss%2Fword@", trust).send(MAIL)
    assert behaviour.over_tls == [True]


async def test_smtps_is_tls_from_the_first_byte(contexts: Trust) -> None:
    server, trust = contexts
    behaviour = Behaviour()
    async with smtp_server(behaviour, implicit=server) as port:
        await mailer(port, "smtps", trust=trust).send(MAIL)
    assert len(behaviour.taken) == 1


async def test_a_password_that_is_not_accepted_rejects_no_mail_and_is_not_told(contexts: Trust) -> None:
    server, trust = contexts
    async with smtp_server(Behaviour(), starttls=server, needs_login=True) as port:
        with pytest.raises(MailNotSent, match="credentials in UNDERSIGN_SMTP_URL") as raised:
            await mailer(port, "smtp", "undersign:secret@", trust).send(MAIL)
    assert "secret" not in str(raised.value)


async def test_nothing_is_said_to_a_server_without_starttls() -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        with pytest.raises(MailNotSent):
            await mailer(port, "smtp").send(MAIL)
    assert behaviour.taken == []


async def test_a_certificate_that_nobody_vouches_for_is_not_believed(contexts: Trust) -> None:
    server, _ = contexts
    behaviour = Behaviour()
    for scheme, tls in (("smtp", {"starttls": server}), ("smtps", {"implicit": server})):
        async with smtp_server(behaviour, **tls) as port:
            with pytest.raises(MailNotSent, match=r"certificate|connection"):
                await mailer(port, scheme).send(MAIL)
    assert behaviour.taken == []


async def test_an_address_of_other_letters_goes_to_a_server_that_takes_it() -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        await mailer(port).send(replace(MAIL, to_email="zoë@büro.example"))
    [envelope] = behaviour.taken
    assert envelope.rcpt_tos == ["zoë@xn--bro-hoa.example"]
    assert "SMTPUTF8" in envelope.mail_options
    assert isinstance(envelope.content, bytes)
    assert "<zoë@xn--bro-hoa.example>".encode() in envelope.content


async def test_an_address_of_other_letters_is_rejected_clearly_where_the_server_takes_none() -> None:
    async with smtp_server(Behaviour(), smtputf8=False) as port:
        with pytest.raises(MailRejected, match="ASCII only"):
            await mailer(port).send(replace(MAIL, to_email="zoë@example.com"))


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.com", SmtpServer("smtp", "mail.example.com", 587)),
        ("smtps://u:p%40@mail.example.com", SmtpServer("smtps", "mail.example.com", 465, "u", "p@")),
        ("smtp-plain://127.0.0.1:1025", SmtpServer("smtp-plain", "127.0.0.1", 1025)),
    ],
)
def test_an_address_of_a_server_says_how_it_is_reached(url: str, server: SmtpServer) -> None:
    assert SmtpServer.at(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.com",
        "http://mail.example.com",
        "smtp://",
        "smtp://host:port",
        "smtp://u@host",
        "smtp://host/path",
        "smtp://u:se#cret@host",
        "smtp-plain://u:secret@host",
    ],
)
def test_what_is_no_address_of_a_server_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(SmtpUrlInvalid) as raised:
        SmtpServer.at(url)
    assert url not in str(raised.value)
    assert "cret" not in str(raised.value)


@pytest.mark.parametrize("length", [20, 60, 70, 80, 120])
async def test_a_message_id_stands_on_one_line(length: int) -> None:
    behaviour, message_id = Behaviour(), f"{'a' * length}@undersign"
    async with smtp_server(behaviour) as port:
        await mailer(port).send(replace(MAIL, message_id=message_id))
    assert isinstance(behaviour.taken[0].content, bytes)
    assert f"Message-ID: <{message_id}>\r\n".encode() in behaviour.taken[0].content


async def test_an_address_to_unsubscribe_at_is_plain_or_left_out() -> None:
    behaviour, long = Behaviour(), f"{'a' * 50}@{'b' * 30}.example"
    async with smtp_server(behaviour) as port:
        await mailer(port).send(replace(MAIL, unsubscribe="stop@northwind.example"))
        await mailer(port).send(replace(MAIL, unsubscribe=long))
    headers = [read(envelope)["List-Unsubscribe"] for envelope in behaviour.taken]
    assert headers == ["<mailto:stop@northwind.example?subject=Stop>", None]


def opened(url: str | None) -> Callable[[Path], object]:
    return lambda folder: open_mailer(url, folder, FROM)


def test_the_outbox_is_for_who_names_no_server(tmp_path: Path) -> None:
    assert isinstance(opened(None)(tmp_path), FileMailer)
    assert isinstance(opened("smtps://mail.example.com")(tmp_path), SmtpMailer)

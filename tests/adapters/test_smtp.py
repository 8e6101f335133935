"""Mail by SMTP, on a real server: what is taken, what is tried again, and what never will be."""

import ssl
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from aiosmtpd.smtp import Envelope

from adapters.mail.file_mailer import FileMailer
from adapters.mail.refusals import is_about_address
from adapters.mail.smtp import MAX_ANSWER, SmtpMailer, open_mailer
from adapters.mail.smtp_url import SmtpServer, SmtpUrlInvalid
from domain.ports.mail import Mail, MailNotSent, MailRefusedForNow, MailRejected
from tests.adapters.smtp_server import Behaviour, smtp_server
from tests.fakes.certificates import make_certificate
from tests.fakes.mail import MAIL

FROM = "undersign@sign.example.com"


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


TEMPORARY = [
    "450 4.2.1 busy",
    "421 4.3.2 going down",
    "452 4.2.2 full for now",
    "451 4.7.1 Greylisted, try again later",
]

ABOUT_ADDRESS = [
    "550 5.1.1 no such user",
    "550 5.1.1 <a@b.example>: Recipient address rejected: User unknown in relay recipient table",
    "550 5.1.1 user lookup success but no user record found",
    "550 5.1.2 domain not found",
    "501 5.1.3 bad address syntax",
    "556 5.1.10 the domain accepts no mail",
    "550 5.2.1 the account is disabled",
    "552 5.2.2 over quota",
    "550 5.4.1 Recipient address rejected: Access denied",
    "550 5.4.310 DNS domain nosuch.example does not exist",
    "550 5.5.0 Requested action not taken: mailbox unavailable",
    "550 Requested action not taken: mailbox unavailable",
    "550 User unknown",
    "554 delivery error: dd This user doesn't have an example.com account",
    "554 5.7.1 <a@b.example>: Recipient address rejected: User unknown",
    "550 5.1.0 Address rejected, no such user",
]
ABOUT_SERVICE = [
    "554 5.7.1 Relay access denied",
    "550 relay not permitted",
    "550 5.7.1 Unable to relay",
    "553 sorry, that domain isn't in my list of allowed rcpthosts",
    "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname",
    "550 5.7.1 <x>: Client host rejected: cannot find your reverse hostname",
    "550 Access denied - Invalid HELO name",
    "553 5.7.1 <u@b.example>: Sender address rejected: not owned by user",
    "550 5.1.0 <u@b.example>: Sender address rejected: User unknown in virtual mailbox table",
    "550 5.1.8 <u@b.example>: Sender address rejected: Domain not found",
    "550-Verification failed for <u@b.example>\r\n550 Sender verify failed",
    "530 5.7.0 Must issue a STARTTLS command first",
    "530 5.7.57 Client not authenticated to send mail",
    "535 5.7.8 bad credentials",
    "538 encryption required",
    "503 5.5.1 bad sequence of commands",
    "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.example",
    "554 IP=192.0.2.1 - None/bad reputation. Ask your postmaster",
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent; part of their network is on our block list",
    "550 5.4.5 Daily user sending quota exceeded",
    "550 5.7.26 This mail is unauthenticated (SPF and DKIM)",
    "550 5.7.1 rejected by policy",
    "552 5.3.4 Message size exceeds fixed limit",
    "552 message too large",
    "523 5.2.3 the message is too long",
    "550 Too many messages, slow down",
    "554 5.4.6 too many hops",
    "554 5.6.0 bad content",
    "554 Transaction failed",
    "555 5.5.4 unsupported parameters",
    "521 5.3.2 host does not accept mail from you",
    "554 5.7.1 no",
]


@pytest.mark.parametrize("answer", ABOUT_ADDRESS)
async def test_a_refusal_of_the_address_is_permanent(answer: str) -> None:
    assert answer in await failure(Behaviour(to_recipient=answer), MailRejected)


@pytest.mark.parametrize("stage", ["to_sender", "to_recipient", "to_content"])
@pytest.mark.parametrize("answer", ABOUT_SERVICE)
async def test_a_refusal_of_the_service_is_retried_slowly(stage: str, answer: str) -> None:
    assert answer[:3] in await failure(Behaviour(**{stage: answer}), MailRefusedForNow)  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", ["to_sender", "to_recipient", "to_content"])
@pytest.mark.parametrize("answer", TEMPORARY)
async def test_a_temporary_refusal_is_retried(stage: str, answer: str) -> None:
    async with smtp_server(Behaviour(**{stage: answer})) as port:  # type: ignore[arg-type]
        with pytest.raises(MailNotSent) as raised:
            await mailer(port).send(MAIL)
    assert (type(raised.value), answer in str(raised.value)) == (MailNotSent, True)


@pytest.mark.parametrize("code", range(500, 600))
async def test_a_refusal_without_a_reason_after_the_content_is_not_about_the_address(code: int) -> None:
    assert not is_about_address(code, "no", at_content=True)


async def test_the_greeting_is_the_name_that_is_set() -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        server = SmtpServer.at(f"smtp-plain://127.0.0.1:{port}")
        await SmtpMailer(server, FROM, greeting="sign.northwind.example").send(MAIL)
    assert behaviour.greetings == ["sign.northwind.example"]


async def test_a_refused_greeting_names_its_setting() -> None:
    text = await failure(Behaviour(to_greeting="550 5.7.1 who are you"), MailRefusedForNow)
    assert "UNDERSIGN_SMTP_GREETING" in text


async def test_an_answer_is_logged_in_one_line_of_ascii() -> None:
    error = await failure(Behaviour(to_recipient="550-no\r\n550 ünd nö " + "x" * 400), MailRejected)
    assert (error.isascii(), error.isprintable(), len(error) < MAX_ANSWER + 40) == (True, True, True)


async def test_a_server_that_hangs_times_out() -> None:
    behaviour = Behaviour(hangs_at_rcpt=True)
    async with smtp_server(behaviour) as port:
        impatient = SmtpMailer(SmtpServer.at(f"smtp-plain://127.0.0.1:{port}"), FROM, command_timeout=0.2)
        with pytest.raises(MailNotSent, match="in time"):
            await impatient.send(MAIL)


async def test_without_a_server_the_mail_is_retried() -> None:
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


@pytest.mark.parametrize(
    ("scheme", "login", "side"), [("smtp", "undersign:p%40ss%2Fword@", "starttls"), ("smtps", "", "implicit")]
)
async def test_mail_is_sent_over_tls(contexts: Trust, scheme: str, login: str, side: str) -> None:
    server, trust = contexts
    behaviour, tls = Behaviour(), {side: server}
    async with smtp_server(behaviour, **tls, needs_login=bool(login)) as port:
        await mailer(port, scheme, login, trust).send(MAIL)
    assert behaviour.over_tls == [side == "starttls"]  # the server knows of no other TLS
    assert len(behaviour.taken) == 1


async def test_a_refused_password_rejects_no_mail_and_is_not_shown(contexts: Trust) -> None:
    server, trust = contexts
    async with smtp_server(Behaviour(), starttls=server, needs_login=True) as port:
        with pytest.raises(MailNotSent, match="credentials in UNDERSIGN_SMTP_URL") as raised:
            await mailer(port, "smtp", "undersign:secret@", trust).send(MAIL)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("scheme", "login", "side", "said"),
    [
        ("smtp", "", None, "offers no STARTTLS"),
        ("smtps", "", None, "needs smtp://"),
        ("smtps", "", "starttls", "needs smtp://"),
        ("smtps", "u:p@", "implicit", "offers no sign-in"),
        ("smtp", "", "implicit", "needs smtps://"),
        ("smtp-plain", "", "implicit", "needs smtps://"),
        ("smtp-plain", "", "starttls", "STARTTLS"),
    ],
)
async def test_a_url_that_does_not_fit_the_port_says_what_does(
    contexts: Trust, scheme: str, login: str, side: str | None, said: str
) -> None:
    server, trust = contexts
    behaviour = Behaviour()
    async with smtp_server(behaviour, **({side: server} if side else {})) as port:
        url = SmtpServer.at(f"{scheme}://{login}127.0.0.1:{port}")
        sender = SmtpMailer(url, FROM, trust=trust, command_timeout=1)
        with pytest.raises(MailNotSent, match=said):
            await sender.send(MAIL)
        with pytest.raises(MailNotSent, match=said):
            await sender.greet(sign_in=True)
    assert behaviour.taken == []


async def test_an_untrusted_certificate_is_refused(contexts: Trust) -> None:
    server, _ = contexts
    behaviour = Behaviour()
    for scheme, tls in (("smtp", {"starttls": server}), ("smtps", {"implicit": server})):
        async with smtp_server(behaviour, **tls) as port:
            with pytest.raises(MailNotSent, match=r"certificate|connection"):
                await mailer(port, scheme).send(MAIL)
    assert behaviour.taken == []


async def test_an_address_beyond_ascii_is_sent_only_to_a_server_with_smtputf8() -> None:
    behaviour = Behaviour()
    async with smtp_server(behaviour) as port:
        await mailer(port).send(replace(MAIL, to_email="zoë@büro.example"))
    [envelope] = behaviour.taken
    assert envelope.rcpt_tos == ["zoë@xn--bro-hoa.example"]
    assert "SMTPUTF8" in envelope.mail_options
    assert isinstance(envelope.content, bytes)
    assert "<zoë@xn--bro-hoa.example>".encode() in envelope.content
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
def test_a_url_names_scheme_host_and_port(url: str, server: SmtpServer) -> None:
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
def test_an_invalid_url_is_refused_and_not_repeated(url: str) -> None:
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


def test_without_a_server_mails_go_to_the_outbox(tmp_path: Path) -> None:
    assert isinstance(open_mailer(None, tmp_path, FROM), FileMailer)
    assert isinstance(open_mailer("smtps://mail.example.com", tmp_path, FROM), SmtpMailer)

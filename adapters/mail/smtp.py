"""Sends mails by SMTP, with one connection for each mail. Failures are temporary or permanent."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPException,
    SMTPHeloError,
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from adapters.mail.file_mailer import FileMailer
from adapters.mail.mime import Message, to_mime
from adapters.mail.refusals import is_about_address
from adapters.mail.smtp_url import SmtpServer
from domain.ports.mail import Mail, Mailer, MailNotSent, MailRefusedForNow, MailRejected
from domain.shared.error_redaction import connection_problem

COMMAND_TIMEOUT = 20.0
"""Seconds that a server may take to answer one command."""

MAIL_TIMEOUT = 50.0
"""Seconds for a mail: less than the timeout of the activity, so that the activity fails with an error of this
module."""

PARTING_TIMEOUT = 1.0
"""Seconds for QUIT, whose result does not matter."""

CONNECTIONS = 10
"""Concurrent connections of one worker: mail servers refuse too many."""

MAX_ANSWER = 200
"""Maximum characters of a server's response in an error message."""


class SmtpMailer:
    """Implements `Mailer`. `greeting` is the host name in EHLO; None means the name of the machine.

    `trust` holds the trusted root certificates; None means those of the system.
    """

    def __init__(
        self,
        server: SmtpServer,
        from_address: str,
        *,
        greeting: str | None = None,
        trust: ssl.SSLContext | None = None,
        command_timeout: float = COMMAND_TIMEOUT,
    ) -> None:
        self._server = server
        self._from_address = from_address
        self._greeting = greeting
        self._trust = trust or ssl.create_default_context()
        self._command_timeout = command_timeout
        self._connections = asyncio.Semaphore(CONNECTIONS)

    async def send(self, mail: Mail) -> None:
        message = to_mime(mail, self._from_address)
        try:
            with _describe():
                async with asyncio.timeout(MAIL_TIMEOUT), self._connections:
                    await self._hand_over(message)
        except (SMTPRecipientRefused, SMTPDataError) as error:
            at_content = isinstance(error, SMTPDataError)
            if error.code >= 500 and is_about_address(error.code, error.message, at_content=at_content):
                raise MailRejected(f"the mail server answered {_answer(error)}") from error
            raise _not_sent(error, "the mail server answered") from error

    async def check(self) -> None:
        await self.greet(sign_in=False)

    async def greet(self, *, sign_in: bool) -> None:
        """Connects, starts TLS, and with `sign_in` authenticates, if there are credentials, and names the sender.

        Raises `MailNotSent`.
        """
        client = self._client(with_credentials=sign_in)
        with _describe():
            try:
                async with asyncio.timeout(MAIL_TIMEOUT):
                    await client.connect()
                    if sign_in:
                        await client.mail(self._from_address)
                    # The check has succeeded. Some servers close the connection without an answer.
                    with suppress(SMTPException, OSError):
                        await client.quit(timeout=PARTING_TIMEOUT)
            finally:
                client.close()

    def _client(self, *, with_credentials: bool = True) -> SMTP:
        server = self._server
        return SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user if with_credentials else None,
            password=server.password if with_credentials else None,
            local_hostname=self._greeting,
            use_tls=server.scheme == "smtps",
            start_tls=server.scheme == "smtp",
            tls_context=None if server.scheme == "smtp-plain" else self._trust,
            timeout=self._command_timeout,
        )

    async def _hand_over(self, message: Message) -> None:
        client = self._client()
        try:
            await client.connect()
            if message.needs_utf8:
                await _check_utf8(client)
            await client.mail(self._from_address, options=["SMTPUTF8", "BODY=8BITMIME"] if message.needs_utf8 else [])
            await client.rcpt(message.to_address, encoding="utf-8" if message.needs_utf8 else "ascii")
            await client.data(message.content)
            # The server has accepted the mail; later errors of the connection do not matter.
            with suppress(SMTPException, OSError):
                await client.quit(timeout=PARTING_TIMEOUT)
        finally:
            client.close()


async def _check_utf8(client: SMTP) -> None:
    await client.ehlo()
    if not client.supports_extension("smtputf8"):
        raise MailRejected("the mail server takes addresses in ASCII only (no SMTPUTF8), and this one is not")


@contextmanager
def _describe() -> Iterator[None]:
    """Maps failures that may be temporary to `MailNotSent`. Errors about the mail itself pass through."""
    try:
        yield
    except (SMTPRecipientRefused, SMTPDataError):
        raise
    except SMTPAuthenticationError as error:
        raise MailRefusedForNow("the mail server did not accept the credentials in UNDERSIGN_SMTP_URL") from error
    except SMTPSenderRefused as error:
        raise _not_sent(error, "the mail server refused mail from UNDERSIGN_MAIL_FROM:") from error
    except SMTPHeloError as error:
        raise _not_sent(error, "the mail server refused the host name in UNDERSIGN_SMTP_GREETING:") from error
    except SMTPResponseException as error:
        raise _not_sent(error, "the mail server answered") from error
    except (ssl.SSLError, SMTPException, OSError) as error:
        raise MailNotSent(_cause_of(error)) from error


def _not_sent(error: SMTPResponseException, what: str) -> MailNotSent:
    return (MailRefusedForNow if error.code >= 500 else MailNotSent)(f"{what} {_answer(error)}")


def _cause_of(error: Exception) -> str:
    """Returns why there is no connection, and which part of UNDERSIGN_SMTP_URL does not fit the server."""
    if isinstance(error, TimeoutError):
        return (
            "the mail server did not answer in time; a port that begins with TLS needs smtps:// in UNDERSIGN_SMTP_URL"
        )
    cause = error if isinstance(error, ssl.SSLError) else error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"no secure connection to the mail server: its certificate is not trusted ({cause.verify_message})"
    if isinstance(cause, ssl.SSLError):
        return (
            "no secure connection to the mail server: TLS failed; a port that begins without TLS needs smtp:// in "
            "UNDERSIGN_SMTP_URL"
        )
    if "STARTTLS" in str(error):
        return (
            "the mail server offers no STARTTLS on this port; UNDERSIGN_SMTP_URL needs another port, smtps:// if it "
            "begins with TLS, or smtp-plain:// for a relay on the same machine"
        )
    if "AUTH" in str(error).upper():
        return "the mail server offers no sign-in with a password on this port, but UNDERSIGN_SMTP_URL has one"
    return f"the connection to the mail server failed ({connection_problem(error)})"


def _answer(error: SMTPResponseException) -> str:
    """Returns the server's response in one line of ASCII."""
    words = " ".join(error.message.split())
    printable = "".join(c if c.isascii() and c.isprintable() else "?" for c in words)
    return f"{error.code} {printable}"[:MAX_ANSWER].strip()


def open_mailer(smtp_url: str | None, outbox: Path, from_address: str, greeting: str | None = None) -> Mailer:
    """Returns the mailer for `smtp_url`, or for the folder `outbox` without one. Raises `SmtpUrlInvalid`."""
    if smtp_url is None:
        return FileMailer(outbox, from_address)
    return SmtpMailer(SmtpServer.at(smtp_url), from_address, greeting=greeting)

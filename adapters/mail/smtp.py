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
    SMTPRecipientRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from adapters.mail.file_mailer import FileMailer
from adapters.mail.mime import Message, to_mime
from adapters.mail.smtp_url import SmtpServer
from ports.mail import Mail, Mailer, MailNotSent, MailRejected

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

_SET_UP = frozenset({503, 530, 534, 535, 538})
"""Codes that do not concern the mail: commands out of order, missing or wrong credentials."""


class SmtpMailer:
    """Implements `Mailer`. `trust` holds the trusted root certificates; None means those of the system."""

    def __init__(
        self,
        server: SmtpServer,
        from_address: str,
        *,
        trust: ssl.SSLContext | None = None,
        command_timeout: float = COMMAND_TIMEOUT,
    ) -> None:
        self._server = server
        self._from_address = from_address
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
            if error.code >= 500 and error.code not in _SET_UP:
                raise MailRejected(f"the mail server answered {_answer(error)}") from error
            raise MailNotSent(f"the mail server answered {_answer(error)}") from error

    async def check(self) -> None:
        await self.greet(sign_in=False)

    async def greet(self, *, sign_in: bool) -> None:
        """Connects, starts TLS, and with `sign_in` authenticates, if there are credentials. Raises `MailNotSent`."""
        client = self._client(with_credentials=sign_in)
        with _describe():
            try:
                async with asyncio.timeout(MAIL_TIMEOUT):
                    await client.connect()
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
        raise MailNotSent("the mail server did not accept the credentials in UNDERSIGN_SMTP_URL") from error
    except SMTPSenderRefused as error:
        raise MailNotSent(f"the mail server refused mail from UNDERSIGN_MAIL_FROM: {_answer(error)}") from error
    except SMTPResponseException as error:
        raise MailNotSent(f"the mail server answered {_answer(error)}") from error
    except ssl.SSLError as error:
        raise MailNotSent("no secure connection to the mail server: its certificate is not trusted") from error
    except TimeoutError as error:
        raise MailNotSent("the mail server did not answer in time") from error
    except (SMTPException, OSError) as error:
        raise MailNotSent(f"the connection to the mail server failed ({type(error).__name__})") from error


def _answer(error: SMTPResponseException) -> str:
    """Returns the server's response in one line of ASCII."""
    words = " ".join(error.message.split())
    printable = "".join(c if c.isascii() and c.isprintable() else "?" for c in words)
    return f"{error.code} {printable}"[:MAX_ANSWER].strip()


def open_mailer(smtp_url: str | None, outbox: Path, from_address: str) -> Mailer:
    """Returns the mailer for `smtp_url`, or for the folder `outbox` without one. Raises `SmtpUrlInvalid`."""
    if smtp_url is None:
        return FileMailer(outbox, from_address)
    return SmtpMailer(SmtpServer.at(smtp_url), from_address)

"""A real mail server that behaves as badly as it is told to."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass
class Behaviour:
    """What the server answers to the greeting, the sender, the recipient and the content; None takes them.

    `taken` are the mails that it took, `greetings` the names in EHLO.

    `hangs_up_after_data`: it has the mail, and ends the connection instead of saying so. `hangs_at_rcpt`: it never
    answers.
    """

    to_greeting: str | None = None
    to_sender: str | None = None
    to_recipient: str | None = None
    to_content: str | None = None
    hangs_at_rcpt: bool = False
    hangs_up_after_data: int = 0
    taken: list[Envelope] = field(default_factory=list)
    over_tls: list[bool] = field(default_factory=list)
    greetings: list[str] = field(default_factory=list)


class _Handler:
    def __init__(self, behaviour: Behaviour) -> None:
        self._behaviour = behaviour

    async def handle_EHLO(  # noqa: N802  # the library's own name
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self._behaviour.greetings.append(hostname)
        return [self._behaviour.to_greeting] if self._behaviour.to_greeting else responses

    async def handle_HELO(self, server: SMTP, session: Session, envelope: Envelope, hostname: str) -> str:  # noqa: N802
        return self._behaviour.to_greeting or "250 localhost"

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._behaviour.to_sender:
            return self._behaviour.to_sender
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._behaviour.hangs_at_rcpt:
            await asyncio.Event().wait()
        if self._behaviour.to_recipient:
            return self._behaviour.to_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self._behaviour.to_content:
            return self._behaviour.to_content
        self._behaviour.taken.append(envelope)
        self._behaviour.over_tls.append(session.ssl is not None)
        if self._behaviour.hangs_up_after_data:
            self._behaviour.hangs_up_after_data -= 1
            server.transport.abort()
        return "250 queued"


def _authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, login: object) -> AuthResult:
    right = isinstance(login, LoginPassword) and login == LoginPassword(b"undersign", b"p@ss/word")
    return AuthResult(success=right, handled=False)


@asynccontextmanager
async def smtp_server(
    behaviour: Behaviour,
    *,
    starttls: ssl.SSLContext | None = None,
    implicit: ssl.SSLContext | None = None,
    needs_login: bool = False,
    smtputf8: bool = True,
) -> AsyncIterator[int]:
    """Its port, for as long as the context lasts."""

    def connection() -> SMTP:
        return SMTP(
            _Handler(behaviour),
            hostname="localhost",
            enable_SMTPUTF8=smtputf8,
            tls_context=starttls,
            require_starttls=starttls is not None,
            auth_required=needs_login,
            auth_exclude_mechanism=() if needs_login else ("LOGIN", "PLAIN"),
            auth_require_tls=starttls is not None,
            authenticator=_authenticate if needs_login else None,
        )

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0, ssl=implicit)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()

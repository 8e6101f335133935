"""Checks of servers that are not ours: mail, the timestamp authority, and how their clocks stand to this one."""

from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from hashlib import sha256

import httpx

from adapters.database.engine import make_engine
from adapters.database.port import DatabaseUnavailable
from adapters.database.schema import read_clock
from adapters.keys import KeysUnusable
from adapters.mail.opening import open_mailer
from adapters.mail.port import Mail, Mailer, MailNotSent, MailRejected
from adapters.mail.smtp import SmtpMailer
from adapters.sealing.port import TimestampsFailed
from adapters.sealing.timestamps import HttpTimestamps, time_of
from adapters.sealing.trust import read_certificates
from api.preflight.findings import Check, Failed, Passed, Skipped
from settings import Settings

TOLERATED = 5.0
HARMFUL = 30.0
"""Seconds that clocks may differ: without a word, and before tokens of outside issuers and seals are refused."""

_MAIL = "Look at UNDERSIGN_SMTP_URL and UNDERSIGN_MAIL_FROM, and whether this machine may reach the mail server."
_TIMESTAMPS = "Look at UNDERSIGN_TIMESTAMP_URL and UNDERSIGN_TIMESTAMP_ROOTS; seals are raised when it is back."
_CLOCK = "Let this machine keep its time with NTP (chrony, systemd-timesyncd)."
_DIGEST = sha256(b"Undersign looks whether the authority answers.").digest()


def checks(settings: Settings, send_to: str | None = None) -> Iterator[Check]:
    """All of them. `send_to` is whom a mail is sent to; without it none leaves."""
    yield Check("mail", partial(check_mail, settings, send_to), _MAIL)
    yield Check("timestamps", partial(check_timestamps, settings), _TIMESTAMPS)
    yield Check("clock", partial(check_clock, settings), _CLOCK)


async def check_mail(settings: Settings, send_to: str | None) -> Passed:
    """The server greets and takes the credentials; with `send_to`, it takes a mail."""
    try:
        mailer = open_mailer(settings.mail_server, settings.data_dir / "outbox", settings.mail_from)
        if isinstance(mailer, SmtpMailer):
            await mailer.greet(sign_in=True)
        if send_to is not None:
            await _send(mailer, send_to)
    except (MailNotSent, MailRejected) as error:
        raise Failed(f"No mail would leave: {error}.", _MAIL) from error
    if settings.mail_server is None:
        return Passed("Mails stay in the local outbox.", "Nobody gets one. Set UNDERSIGN_SMTP_URL when they are to.")
    if send_to is None:
        return Passed("The mail server is there and takes the credentials; no mail was sent.")
    return Passed("The mail server took a mail; see that it arrives, and not as junk.")


async def _send(mailer: Mailer, address: str) -> None:
    now = datetime.now(UTC)
    words = "This mail was sent by undersign doctor to see whether mails arrive. There is nothing to be done."
    await mailer.send(
        Mail(
            message_id=f"preflight.{now.timestamp()}@undersign",
            to_name="",
            to_email=address,
            from_name="Undersign",
            subject="Undersign can send mails",
            text=words,
            html=f"<p>{words}</p>",
            sent_at=now,
        )
    )


async def check_timestamps(settings: Settings) -> Passed:
    """The authority stamps something, and is believed."""
    told = await _authority_time(settings)
    if told is None:
        return Passed("There is no timestamp authority: seals reach the level B-B.")
    return Passed("The authority answered with a timestamp, and is believed.")


async def check_clock(settings: Settings) -> Passed:
    """Ours goes as those of others do."""
    return judge_clocks({name: (told - now).total_seconds() async for name, told, now in _clocks(settings)})


def judge_clocks(differences: Mapping[str, float]) -> Passed:
    """What to say of a clock that differs so from those of others, in seconds.

    Raises:
        Failed: by so much that something is refused.
        Skipped: there is none to compare it with.
    """
    if not differences:
        raise Skipped("There is nobody to compare it with: no PostgreSQL, no timestamp authority, no public address.")
    name, worst = max(differences.items(), key=lambda one: abs(one[1]))
    told = f"It differs by {abs(worst):.1f} s from that of {name}."
    if abs(worst) > HARMFUL:
        raise Failed(told, _CLOCK)
    return Passed(told, _CLOCK if abs(worst) > TOLERATED else None)


async def _clocks(settings: Settings) -> AsyncIterator[tuple[str, datetime, datetime]]:
    """Whose clock, what it said, and what ours said; those that cannot be asked are told of by other checks."""
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        if settings.database_url is not None and (told := await read_clock(engine)):
            yield "the database", told, datetime.now(UTC)
    except DatabaseUnavailable:
        pass
    finally:
        await engine.dispose()
    try:
        if told := await _authority_time(settings):
            yield "the timestamp authority", told, datetime.now(UTC)
    except Failed:
        pass
    if settings.is_production and (told := await _public_time(settings.base_url)):
        yield "the public address", told, datetime.now(UTC)


async def _authority_time(settings: Settings) -> datetime | None:
    choice = settings.seal
    if choice.timestamps is None or choice.timestamp_roots is None:
        return None
    try:
        authority = HttpTimestamps(choice.timestamps, read_certificates(choice.timestamp_roots))
        return time_of(await authority.stamp(_DIGEST))
    except (TimestampsFailed, KeysUnusable) as error:
        raise Failed(str(error), _TIMESTAMPS) from error


async def _public_time(address: str) -> datetime | None:
    try:
        async with httpx.AsyncClient(timeout=5) as http:
            answer = await http.head(address)
        return parsedate_to_datetime(answer.headers["Date"])
    except (httpx.HTTPError, KeyError, ValueError):
        return None

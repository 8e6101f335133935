"""Checks of servers that are not ours: mail, the timestamp authority, and how their clocks stand to this one."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from hashlib import sha256
from typing import Any

import httpx

from adapters.database.engine import make_engine
from adapters.database.schema_version import read_clock
from adapters.keys.secret_keys import KeysUnusable
from adapters.mail.factory import open_mailer
from adapters.mail.smtp import SmtpMailer
from adapters.sealing.timestamp_client import HttpTimestampAuthority, time_of
from adapters.sealing.trust_store import read_certificates
from cli.doctor.checks import Check, Failed, Passed, Skipped
from ports.mail import Mail, Mailer, MailNotSent, MailRejected
from ports.sealing import TimestampsFailed
from settings import Settings

TOLERATED = 5.0
HARMFUL = 30.0
"""Seconds that clocks may differ: without a word, and before tokens of outside issuers and seals are refused."""

CLOCK_SECONDS = 20.0
"""How long somebody may take to say what time it is."""

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
    return judge_clocks(await _differences(settings))


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


async def _differences(settings: Settings) -> dict[str, float]:
    """By how many seconds the clocks of others are ahead; why one cannot be asked is told of by other checks."""
    asked = {
        "the database": _database_time(settings),
        "the timestamp authority": _authority_time(settings),
        "the public address": _public_time(settings),
    }
    told = await asyncio.gather(*map(_compared, asked.values()), return_exceptions=True)
    return {name: ahead for name, ahead in zip(asked, told, strict=True) if isinstance(ahead, float)}


async def _compared(asked: Coroutine[Any, Any, datetime | None]) -> float | None:
    async with asyncio.timeout(CLOCK_SECONDS):
        told = await asked
    return (told - datetime.now(UTC)).total_seconds() if told else None


async def _database_time(settings: Settings) -> datetime | None:
    if settings.database_url is None:
        return None
    engine = make_engine(settings.database_address, settings.database_limits)
    try:
        return await read_clock(engine)
    finally:
        await engine.dispose()


async def _authority_time(settings: Settings) -> datetime | None:
    choice = settings.seal
    if choice.timestamps is None or choice.timestamp_roots is None:
        return None
    try:
        authority = HttpTimestampAuthority(choice.timestamps, read_certificates(choice.timestamp_roots))
        return time_of(await authority.stamp(_DIGEST))
    except (TimestampsFailed, KeysUnusable) as error:
        raise Failed(str(error), _TIMESTAMPS) from error


async def _public_time(settings: Settings) -> datetime | None:
    if not settings.is_production:
        return None
    async with httpx.AsyncClient(timeout=5) as http:
        answer = await http.head(settings.base_url)
    return parsedate_to_datetime(answer.headers["Date"])

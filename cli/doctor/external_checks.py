"""Checks of external servers: mail, timestamp authority, OpenID provider, and their clocks."""

import asyncio
from collections.abc import Coroutine, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import httpx

from adapters.database.engine import make_engine
from adapters.database.schema_migration import read_clock
from adapters.keys.secret_keys import KeysUnusable
from adapters.mail.smtp import SmtpMailer, open_mailer
from adapters.openid.bounded_http import InvalidResponse
from adapters.openid.issuer_keys import discover, endpoint_of
from adapters.rate_limit_counters import find_redis_problem
from adapters.sealing.timestamp_client import HttpTimestampAuthority, time_of
from adapters.sealing.trust_store import read_certificates
from application.checks import CheckFailed, CheckPassed, CheckSkipped
from application.tokens.openid_code_flow import REDIRECT_PATH
from config.settings import Settings
from config.types import is_local
from domain.ports.mail import Mail, MailNotSent, MailRejected
from domain.ports.seals import TimestampsFailed
from domain.shared.error_redaction import connection_problem
from domain.shared.version import VERSION

TOLERANCE = 5.0
LIMIT = 30.0
"""Seconds that clocks may differ. Beyond `TOLERANCE`, the result is a note. Beyond `LIMIT`, it is a failure: tokens of
external issuers and seals are rejected."""

CLOCK_SECONDS = 20.0
"""Limit for reading one clock."""

_PROVIDER_FEATURES = {
    "response_types_supported": {"code"},
    "code_challenge_methods_supported": {"S256"},
    "token_endpoint_auth_methods_supported": {"client_secret_basic", "client_secret_post"},
}
"""Values by member of the metadata of an OpenID provider: a list, if present, must contain one of them."""

LARGE_BODY = 32_000_000
"""Bytes that a proxy must pass on (docs/deployment.md)."""

_PUBLIC_SECONDS = 5.0
_CERTAIN = ("Name or service not known", "nodename nor servname", "No address associated", "certificate", "SSL", "TLS")
"""Words of errors that other machines get too."""

_UNREACHED = "A network may be closed from within: open the address on another machine."

SYNCHRONISE = "Synchronise the clock of this machine with NTP (chrony, systemd-timesyncd)."
_DIGEST = sha256(b"Undersign checks that the authority answers.").digest()


async def check_mail(settings: Settings, send_to: str | None) -> CheckPassed:
    """Checks that the mail server accepts the credentials and, with `send_to`, a mail."""
    try:
        mailer = open_mailer(
            settings.mail_server, settings.data_dir / "outbox", settings.mail_from, settings.mail_greeting
        )
        if isinstance(mailer, SmtpMailer):
            await mailer.greet(sign_in=True)
        if send_to is not None:
            await mailer.send(_test_mail(send_to, datetime.now(UTC)))
    except (MailNotSent, MailRejected) as error:
        raise CheckFailed(f"Mail cannot be sent by {_host(settings.mail_server)}: {error}.") from error
    if settings.mail_server is None:
        return CheckPassed("Mails stay in the local outbox.", "To send them, set UNDERSIGN_SMTP_URL.")
    if send_to is None:
        has_user = urlsplit(settings.mail_server).username
        accepted = "accepts the credentials" if has_user else "answers; no credentials are set"
        return CheckPassed(f"The mail server {accepted}; no mail was sent.")
    return CheckPassed("The mail server accepted a mail; check that it arrives, and not as junk.")


def _host(url: str | None) -> str:
    """Returns host and port in a URL, without user and password."""
    return urlsplit(url).netloc.rpartition("@")[2] or "the socket" if url else "the local outbox"


async def check_public_address(settings: Settings) -> CheckPassed:
    """Checks that the public address leads to this service, as far as this machine can tell."""
    if is_local(settings.public_url.host or ""):
        return CheckPassed(f"{settings.base_url} is on this machine.")
    try:
        async with httpx.AsyncClient(timeout=_PUBLIC_SECONDS) as http:
            answer = await http.get(f"{settings.base_url}/healthz")
            is_too_large = await refuses_large_bodies(http, settings.base_url)
    except httpx.TimeoutException:
        return CheckPassed(f"{settings.base_url} does not answer from here.", _UNREACHED)
    except httpx.HTTPError as error:
        cause = connection_problem(error)
        if isinstance(error, httpx.ConnectError) and not any(words in cause for words in _CERTAIN):
            return CheckPassed(f"{settings.base_url} cannot be reached from here: {cause}.", _UNREACHED)
        raise CheckFailed(f"{settings.base_url} cannot be reached: {cause}.") from error
    passed = judge_health(settings, answer)
    if is_too_large:
        raise CheckFailed(
            f"The proxy refuses bodies of {LARGE_BODY // 1_000_000} MB with 413: large files cannot be uploaded.",
            "Raise its limit (nginx: client_max_body_size 32m); see docs/deployment.md.",
        )
    return passed


async def refuses_large_bodies(http: httpx.AsyncClient, address: str) -> bool:
    """Returns whether a proxy refuses a large body. The service answers 405 without reading it."""
    try:
        answer = await http.post(f"{address}/healthz", content=bytes(LARGE_BODY))
    except httpx.HTTPError:
        return False  # the connection was closed in the middle of the body
    return answer.status_code == httpx.codes.REQUEST_ENTITY_TOO_LARGE


def judge_health(settings: Settings, answer: httpx.Response) -> CheckPassed:
    """Returns the result for the response of `/healthz` at the public address."""
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    health = answer.json() if is_json else {}
    if health.get("status") != "alive":
        raise CheckFailed(f"{settings.base_url}/healthz answers {answer.status_code}, and not as this service does.")
    version, forwarded_for = health.get("version"), health.get("forwardedFor")
    if forwarded_for == "ignored":
        raise CheckFailed(
            "The address of the proxy is recorded for all recipients, and limits count it as one client.",
            "Add the addresses of the proxy to UNDERSIGN_TRUSTED_PROXIES.",
        )
    notes = []
    if version != VERSION:
        notes.append(f"It answers with version {version}, and this is version {VERSION}.")
    if forwarded_for == "absent" and settings.trusted_proxies:
        notes.append("The request came without X-Forwarded-For: let the proxy set it, or it did not pass the proxy.")
    return CheckPassed(f"{settings.base_url} leads to the service.", " ".join(notes) or None)


async def check_rate_limits(settings: Settings) -> CheckPassed:
    """Checks that the Redis that counts requests responds."""
    if settings.rate_limit_storage is None:
        return CheckPassed("Each process counts requests in its memory.")
    if problem := await find_redis_problem(settings.rate_limit_storage):
        where = _host(settings.rate_limit_storage)
        raise CheckFailed(f"Redis at {where}: {problem}. Each process counts requests alone until it responds.")
    return CheckPassed("Redis counts requests.")


async def check_timestamps(settings: Settings) -> CheckPassed:
    """Checks that the authority issues a trusted timestamp."""
    if await _authority_time(settings) is None:
        return CheckPassed("There is no timestamp authority: seals reach the level B-B.")
    return CheckPassed("The authority issued a trusted timestamp.")


async def check_sign_in(settings: Settings) -> CheckPassed:
    """Checks that the OpenID provider responds, names the configured issuer, and supports the sign-in of users."""
    client = settings.provider_client
    if client is None:
        return CheckPassed("Users sign in by links that they get by mail.")
    try:
        async with httpx.AsyncClient() as http:
            found = await discover(client.issuer, http)
        for name in ("authorization_endpoint", "token_endpoint"):
            endpoint_of(client.issuer, found.metadata, name)
    except InvalidResponse as error:
        raise CheckFailed(f"Users cannot sign in by {settings.sign_in_name}: {error}.") from error
    if not found.keys:
        raise CheckFailed(f"{settings.sign_in_name} publishes no key (RSA or EC) that verifies tokens.")
    for name, needed in _PROVIDER_FEATURES.items():
        listed = found.metadata.get(name)
        if isinstance(listed, list) and not needed & {one for one in listed if isinstance(one, str)}:
            raise CheckFailed(f"{settings.sign_in_name} supports none of {', '.join(sorted(needed))} ({name}).")
    address = f"{settings.base_url}{REDIRECT_PATH}"
    return CheckPassed(f"{settings.sign_in_name} answers. Its redirect address for this service must be {address}.")


async def check_clock(settings: Settings) -> CheckPassed:
    """Compares this clock with those of other servers, leaving out servers that do not respond."""
    clocks = {
        "the database": _database_time(settings),
        "the timestamp authority": _authority_time(settings),
        "the public URL": _public_time(settings),
    }
    results = await asyncio.gather(*map(_seconds_ahead, clocks.values()), return_exceptions=True)
    return judge_clocks({name: ahead for name, ahead in zip(clocks, results, strict=True) if isinstance(ahead, float)})


def judge_clocks(differences: Mapping[str, float]) -> CheckPassed:
    """Returns the result for the differences to other clocks, in seconds, by server."""
    if not differences:
        raise CheckSkipped("There is no clock to compare with: no PostgreSQL, no timestamp authority, no public URL.")
    name, worst = max(differences.items(), key=lambda one: abs(one[1]))
    message = f"It differs by {abs(worst):.1f} s from the clock of {name}."
    if abs(worst) > LIMIT:
        raise CheckFailed(message)
    return CheckPassed(message, SYNCHRONISE if abs(worst) > TOLERANCE else None)


async def _seconds_ahead(clock: Coroutine[Any, Any, datetime | None]) -> float | None:
    async with asyncio.timeout(CLOCK_SECONDS):
        time = await clock
    return (time - datetime.now(UTC)).total_seconds() if time else None


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
        raise CheckFailed(str(error)) from error


async def _public_time(settings: Settings) -> datetime | None:
    if not settings.is_production:
        return None
    async with httpx.AsyncClient(timeout=5) as http:
        answer = await http.head(settings.base_url)
    return parsedate_to_datetime(answer.headers["Date"])


def _test_mail(address: str, now: datetime) -> Mail:
    text = "undersign doctor sent this mail to check that mails arrive. You need not do anything."
    return Mail(
        message_id=f"preflight.{now.timestamp()}@undersign",
        to_name="",
        to_email=address,
        from_name="Undersign",
        subject="Undersign can send mails",
        text=text,
        html=f"<p>{text}</p>",
        sent_at=now,
    )

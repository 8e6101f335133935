"""Checks of a production installation: errors that stop the start, and warnings that `undersign doctor` shows."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from adapters.mail.smtp_url import SmtpServer
from config.types import parse_networks

if TYPE_CHECKING:
    from settings import Settings

DEFAULT_SENDER = "undersign@localhost"

MIN_PREFIX = {4: 16, 6: 48}
"""Shortest prefix of a network of proxies, by IP version: that of the pods of a large cluster."""

_COMMON_PASSWORDS = frozenset(
    {
        *("12345678", "123456789", "1234567890", "administrator", "changeit", "changeme", "change-me", "default"),
        *("development", "letmein1", "password", "password1", "passw0rd", "placeholder", "postgres", "postgresql"),
        *("qwertyuiop", "secret123", "supersecret", "temporal", "undersign", "your-password", "yourpassword"),
    }
)


def is_local(host: str) -> bool:
    """Returns whether traffic to `host` stays on this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def production_errors(settings: "Settings") -> Iterator[str]:
    """Returns a line for each setting that production must not have."""
    if settings.public_url.scheme != "https":
        yield "UNDERSIGN_PUBLIC_URL must be https: links, cookies and tokens could be read in transit."
    yield from _mail_errors(settings)
    if settings.private_callbacks:
        yield "UNDERSIGN_PRIVATE_CALLBACKS must be false: a client's callbackUrl could reach the internal network."
    if settings.oidc_issuer and settings.oidc_issuer.startswith("http:"):
        yield "UNDERSIGN_OIDC_ISSUER must be https: its keys could be replaced in transit."
    if any(proxies.prefixlen < MIN_PREFIX[proxies.version] for proxies in parse_networks(settings.trusted_proxies)):
        yield (
            "UNDERSIGN_TRUSTED_PROXIES must name the proxies alone, as networks of at least /16 (IPv6: /48): every "
            "host in them can forge the client addresses that rate limits count and certificates show."
        )
    if any(0 < len(set(key.secret)) < 16 for key in settings.temporal.payload_keys):  # of 32 random bytes, 30 differ
        yield "UNDERSIGN_PAYLOAD_KEYS: a key is not random. Make one with undersign payload-key new."
    for name, is_weak in _passwords(settings):
        if is_weak:
            yield f"UNDERSIGN_{name}: the password in it is easy to guess. Use a random one."


def production_warnings(settings: "Settings") -> Iterator[str]:
    """Returns a line for each choice that production may have and an operator should know of."""
    local = [
        *(["the database (SQLite)"] if settings.database_address.startswith("sqlite") else []),
        *(["documents (a folder)"] if settings.object_store is None else []),
    ]
    if local:
        yield (
            f"On the disk of this machine: {' and '.join(local)}. All processes must run here, and the data directory "
            "needs backups. docs/engines.md describes backends for more than one machine."
        )


def _mail_errors(settings: "Settings") -> Iterator[str]:
    if settings.mail_server is None:
        yield "UNDERSIGN_SMTP_URL must be set: recipients would get no mail."
    else:
        server = SmtpServer.at(settings.mail_server)
        if server.scheme == "smtp-plain" and not is_local(server.host):
            yield (
                "UNDERSIGN_SMTP_URL must be smtp:// or smtps://: signing links could be read in transit. "
                "Only a mail server on this machine may be used without encryption."
            )
    if settings.mail_from == DEFAULT_SENDER:
        yield "UNDERSIGN_MAIL_FROM must be an address that the mail server sends for."


def _passwords(settings: "Settings") -> Iterator[tuple[str, bool]]:
    """Returns the names of the settings that may hold a password, each with whether it is weak."""
    if settings.seal_passphrase and not (settings.seal_key or "").startswith("pkcs11:"):  # PINs are short
        yield "SEAL_PASSPHRASE", _is_weak(settings.seal_passphrase.get_secret_value())
    timestamp_url = settings.timestamp_url.get_secret_value() if settings.timestamp_url else None
    yield "DATABASE_URL", _has_weak_password(settings.database_address)
    yield "RATE_LIMIT_STORAGE", _has_weak_password(settings.rate_limit_storage)
    yield "SMTP_URL", _has_weak_password(settings.mail_server)
    yield "TIMESTAMP_URL", _has_weak_password(timestamp_url)


def _is_weak(secret: str) -> bool:
    return len(secret) < 8 or secret.lower() in _COMMON_PASSWORDS or len(set(secret)) < 4


def _has_weak_password(url: str | None) -> bool:
    """Returns whether a password in `scheme://user:password@host/path?password=...` is weak, or equals the user."""
    try:
        parts = urlsplit(url or "")
        user, password = (unquote(text or "") for text in (parts.username, parts.password))
    except ValueError:
        return False
    passwords = [password, *parse_qs(parts.query).get("password", ())]
    return any(_is_weak(one) or one == user for one in passwords if one)

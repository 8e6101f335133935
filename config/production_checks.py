"""Checks of a production installation: errors that prevent the start, and a risk that `undersign doctor` reports."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING

from adapters.mail.smtp_url import SmtpServer
from config.types import parse_networks
from config.weak_passwords import find_weak_passwords

if TYPE_CHECKING:
    from settings import Settings

DEFAULT_SENDER = "undersign@localhost"

MIN_PREFIX = {4: 16, 6: 48}
"""Minimum prefix length of a network of trusted proxies, by IP version. It admits the pods of a large cluster."""


def is_local(host: str) -> bool:
    """Returns whether traffic to `host` stays on this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def find_errors(settings: "Settings") -> Iterator[str]:
    """Yields a line for each setting that production must not have; none in development."""
    if not settings.is_production:
        return
    server = SmtpServer.at(settings.mail_server) if settings.mail_server else None
    proxies, keys = parse_networks(settings.trusted_proxies), settings.temporal.payload_keys
    errors = {
        "PUBLIC_URL must be https: links, cookies and tokens could be read in transit.": (
            settings.public_url.scheme != "https"
        ),
        "SMTP_URL must be set: recipients would get no mail.": server is None,
        "SMTP_URL must be smtp:// or smtps://: signing links could be read in transit. Only a mail server on this "
        "machine may be used without encryption.": (
            server is not None and server.scheme == "smtp-plain" and not is_local(server.host)
        ),
        "MAIL_FROM must be an address that the mail server sends for.": settings.mail_from == DEFAULT_SENDER,
        "PRIVATE_CALLBACKS must be false: a client's callbackUrl could reach the internal network.": (
            settings.private_callbacks
        ),
        "OIDC_ISSUER must be https: its keys could be replaced in transit.": (
            (settings.oidc_issuer or "").startswith("http:")
        ),
        "SIGN_IN_ISSUER must be https: its keys could be replaced in transit.": (
            (settings.sign_in_issuer or "").startswith("http:")
        ),
        "TRUSTED_PROXIES must name the proxies alone, as networks of at least /16 (IPv6: /48): every host in them can "
        "forge the client addresses that rate limits count and certificates show.": (
            any(network.prefixlen < MIN_PREFIX[network.version] for network in proxies)
        ),
        "PAYLOAD_KEYS: a key is not random. Make one with undersign payload-key new.": (
            any(0 < len(set(key.secret)) < 16 for key in keys)  # of 32 random bytes, 30 differ
        ),
        **{
            f"{name}: the password in it is easy to guess. Use a random one.": True
            for name in find_weak_passwords(settings)
        },
    }
    yield from (f"UNDERSIGN_{error}" for error, is_present in errors.items() if is_present)


def find_risk(settings: "Settings") -> str | None:
    """Returns a sentence about backends on the disk of this machine in production; None without such backends."""
    local = [
        *(["the database (SQLite)"] if settings.database_address.startswith("sqlite") else []),
        *(["documents (a folder)"] if settings.object_store is None else []),
    ]
    if not settings.is_production or not local:
        return None
    return (
        f"On the disk of this machine: {' and '.join(local)}. All processes must run here, and the data directory "
        "needs backups. docs/engines.md describes backends for more than one machine."
    )

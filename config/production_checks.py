"""What a production installation must not have, and what somebody should know about the one that there is."""

from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network
from typing import Protocol

from pydantic import AnyHttpUrl, SecretStr

from adapters.mail.smtp_url import SmtpServer
from config.lists import parts_of
from config.password_strength import has_weak_password, is_weak, is_weak_key

DEFAULT_SENDER = "undersign@localhost"

WIDEST = {4: 16, 6: 48}
"""The shortest prefixes of a network of proxies: of the pods of a cluster, as large ones have them."""


class Chosen(Protocol):
    """The settings that are looked at."""

    @property
    def public_url(self) -> AnyHttpUrl: ...
    @property
    def database_address(self) -> str: ...
    @property
    def object_store(self) -> str | None: ...
    @property
    def mail_server(self) -> str | None: ...
    @property
    def mail_from(self) -> str: ...
    @property
    def private_callbacks(self) -> bool: ...
    @property
    def rate_limit_storage(self) -> str | None: ...
    @property
    def trusted_proxies(self) -> str: ...
    @property
    def oidc_issuer(self) -> str | None: ...
    @property
    def seal_key(self) -> str | None: ...
    @property
    def seal_passphrase(self) -> SecretStr | None: ...
    @property
    def timestamp_url(self) -> SecretStr | None: ...


def is_this_machine(host: str) -> bool:
    """Whether what goes to that host stays on this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def risks(chosen: Chosen, payload_keys: Iterable[bytes]) -> Iterator[str]:
    """What production must not have, a line each."""
    if chosen.public_url.scheme != "https":
        yield "UNDERSIGN_PUBLIC_URL must be https: links, cookies and tokens would be readable on their way."
    yield from _of_mail(chosen)
    if chosen.private_callbacks:
        yield "UNDERSIGN_PRIVATE_CALLBACKS must be false: anybody's callbackUrl could reach the inner network."
    if chosen.oidc_issuer and chosen.oidc_issuer.startswith("http:"):
        yield "UNDERSIGN_OIDC_ISSUER must be https: its keys could be replaced on their way."
    proxies = map(ip_network, parts_of(chosen.trusted_proxies))
    if any(network.prefixlen < WIDEST[network.version] for network in proxies):
        yield (
            "UNDERSIGN_TRUSTED_PROXIES must name the proxies alone, as networks of at least /16 (IPv6: /48): everybody "
            "in them can forge the addresses by which requests are counted and which stand in certificates."
        )
    if any(map(is_weak_key, payload_keys)):
        yield "UNDERSIGN_PAYLOAD_KEYS: a key in it is not random; take one of undersign payload-key new."
    for name, is_weak_one in _secrets(chosen):
        if is_weak_one:
            yield f"UNDERSIGN_{name}: the password in it is one that is tried first; take a random one."


def notes(chosen: Chosen) -> Iterator[str]:
    """What may be so in production, and should be known."""
    here = [
        *(["the database (SQLite)"] if chosen.database_address.startswith("sqlite") else []),
        *(["documents (a folder)"] if chosen.object_store is None else []),
    ]
    if here:
        yield (
            f"On the disk of this machine: {' and '.join(here)}. All processes must run here, and the data directory "
            "needs backups; docs/engines.md tells of engines for more than one machine."
        )


def _of_mail(chosen: Chosen) -> Iterator[str]:
    if chosen.mail_server is None:
        yield "UNDERSIGN_SMTP_URL must be set: no recipient would get a mail."
    else:
        server = SmtpServer.at(chosen.mail_server)
        if server.scheme == "smtp-plain" and not is_this_machine(server.host):
            yield (
                "UNDERSIGN_SMTP_URL must be smtp:// or smtps://: links to sign would be readable on their way. "
                "Without encryption only a mail server on this machine may take them."
            )
    if chosen.mail_from == DEFAULT_SENDER:
        yield "UNDERSIGN_MAIL_FROM must be an address that the mail server sends for."


def _secrets(chosen: Chosen) -> Iterator[tuple[str, bool]]:
    """The settings with passwords and passphrases, and whether one of them is weak."""
    if chosen.seal_passphrase and not (chosen.seal_key or "").startswith("pkcs11:"):  # PINs are short
        yield "SEAL_PASSPHRASE", is_weak(chosen.seal_passphrase.get_secret_value())
    addresses = (
        ("DATABASE_URL", chosen.database_address),
        ("RATE_LIMIT_STORAGE", chosen.rate_limit_storage),
        ("SMTP_URL", chosen.mail_server),
        ("TIMESTAMP_URL", chosen.timestamp_url.get_secret_value() if chosen.timestamp_url else None),
    )
    for name, address in addresses:
        yield name, address is not None and has_weak_password(address)

"""Checks of a production installation: errors that prevent the start, and risks that `undersign doctor` reports."""

import os
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import urlsplit

from adapters.mail.smtp_url import SmtpServer
from adapters.redis_url import find_plain_redis
from adapters.telemetry.traces import COLLECTORS
from config.settings import DEFAULT_SENDER, Settings
from config.types import is_local, parse_networks, split_list
from config.weak_passwords import find_weak_passwords
from domain.shared.errors import ConfigError

NOT_PRODUCTION = (
    "This is production: UNDERSIGN_ENVIRONMENT says so, or UNDERSIGN_PUBLIC_URL is not an address of this machine. "
    "For evaluation only, UNDERSIGN_ENVIRONMENT=development lets it start as it is."
)

MIN_PREFIX = {4: 16, 6: 48}
"""Minimum prefix length of a network of trusted proxies, by IP version. It admits the pods of a large cluster."""

MAX_PER_MINUTE = 100_000
"""Maximum number of requests per minute that a limit may allow."""

MAX_DOWNLOAD_SECONDS = 86_400
MAX_COPY_DAYS = 3_650

_PRIVATE = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7"))
)


def read_for_server(environment: Mapping[str, str] = os.environ) -> Settings:
    """Returns the settings of a process that serves clients or runs workflows.

    Raises:
        ConfigError: with a line for each error, and in production for each setting that only development may have.
    """
    settings = Settings.read(environment)
    if errors := tuple(find_errors(settings)):
        raise ConfigError(*errors, NOT_PRODUCTION)
    return settings


def find_errors(settings: Settings) -> Iterator[str]:
    """Yields a line for each setting that production must not have; none in development."""
    if not settings.is_production:
        return
    errors = {
        **_address_errors(settings),
        **_connection_errors(settings),
        **_limit_errors(settings),
        **_secret_errors(settings),
    }
    yield from (f"UNDERSIGN_{error}" for error, is_present in errors.items() if is_present)


def _address_errors(settings: Settings) -> dict[str, bool]:
    proxies = parse_networks(settings.trusted_proxies)
    return {
        "PUBLIC_URL must be https: links, cookies and tokens could be read in transit.": (
            settings.public_url.scheme != "https"
        ),
        "SMTP_URL must be set: recipients would get no mail.": settings.mail_server is None,
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
        "forge the client addresses that rate limits count and certificates show.": any(map(_is_wide, proxies)),
        "METRICS_NETWORKS must name private networks, or public ones of at least /16 (IPv6: /48): the metrics tell how "
        "much the service is used, and by how many organisations. Name the network of your Prometheus.": (
            any(_is_wide(network) and not _is_private(network) for network in settings.metrics_readers)
        ),
    }


def _connection_errors(settings: Settings) -> dict[str, bool]:
    """Returns the connections that are not encrypted although they leave this machine."""
    from adapters.database.url import find_plain_hosts  # noqa: PLC0415  # loads SQLAlchemy, which --help does not need

    server = SmtpServer.at(settings.mail_server) if settings.mail_server else None
    mail = {server.host} if server and server.scheme == "smtp-plain" else set()
    timestamps = urlsplit(settings.seal.timestamps or "")
    authority = {timestamps.hostname or ""} if timestamps.scheme == "http" and timestamps.password else set()
    way_out = (
        "Only a host on this machine may be reached without encryption, and one that UNDERSIGN_UNENCRYPTED_HOSTS names "
        "because its network is encrypted or is that of this machine's containers."
    )
    plain = {
        "SMTP_URL must be smtp:// or smtps://: signing links could be read in transit.": mail,
        "DATABASE_URL must end with ?ssl=verify-full (or ?ssl=require, which does not verify the server): its password "
        "and all data of sessions could be read in transit.": set(find_plain_hosts(settings.database_address)),
        "TEMPORAL_ADDRESS must be reached with TLS, by TEMPORAL_TLS=true or an API key: who is in the network could "
        "run and end sessions.": settings.find_plain_temporal(),
        "RATE_LIMIT_STORAGE must be rediss://: its password could be read, and limits be lifted, in transit.": (
            find_plain_redis(settings.rate_limit_storage or "")
        ),
        "TIMESTAMP_URL must be https, as it holds a password.": authority,
        "OBJECT_STORE is reached by http at STORAGE_EMULATOR_HOST, which is for tests: unset it. All documents could "
        "be read in transit.": _plain_hosts("STORAGE_EMULATOR_HOST") if settings.object_store else set(),
        "ENVIRONMENT: OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be https: traces tell "
        "who uses the service, and their headers may hold a key.": _plain_hosts(*COLLECTORS),
    }
    allowed = frozenset(split_list(settings.unencrypted_hosts))
    return {
        f"{error} {way_out}": any(not is_local(host) and host not in allowed for host in hosts)
        for error, hosts in plain.items()
    }


def _plain_hosts(*names: str) -> set[str]:
    """Returns the hosts of the addresses in these environment variables that are not https."""
    addresses = [os.environ.get(name, "") for name in names]
    plain = [address for address in addresses if address and not address.lower().startswith("https:")]
    return {urlsplit(address if "//" in address else f"//{address}").hostname or "" for address in plain}


def _limit_errors(settings: Settings) -> dict[str, bool]:
    limits = ("reads_per_minute", "writes_per_minute", "tokens_per_minute", "pages_per_minute")
    return {
        **{
            f"{name.upper()} must be from 1 to {MAX_PER_MINUTE}: without a limit, one caller can take the service away "
            "from all others. Leave it out for the default.": not 0 < getattr(settings, name) <= MAX_PER_MINUTE
            for name in limits
        },
        f"DOWNLOAD_LIFETIME must be at most {MAX_DOWNLOAD_SECONDS}, a day: whoever sees a download URL can use it.": (
            settings.download_lifetime > MAX_DOWNLOAD_SECONDS
        ),
        f"COPY_DAYS must be at most {MAX_COPY_DAYS}: whoever reads an old mail could open the signed copy.": (
            settings.copy_days > MAX_COPY_DAYS
        ),
    }


def _secret_errors(settings: Settings) -> dict[str, bool]:
    keys = settings.temporal.payload_keys
    return {
        "PAYLOAD_KEYS must be set: Temporal would store names, addresses and values in plain text. Make a key with "
        "undersign payload-key new; or write none, if Temporal's database is as protected as your own.": not keys,
        "PAYLOAD_KEYS: a key is not random. Make one with undersign payload-key new.": (
            any(0 < len(set(key.secret)) < 16 for key in keys)  # of 32 random bytes, 30 differ
        ),
        **{
            f"{name}: the password in it is easy to guess. Use a random one.": True
            for name in find_weak_passwords(settings)
        },
    }


def _is_wide(network: IPv4Network | IPv6Network) -> bool:
    return network.prefixlen < MIN_PREFIX[network.version]


def _is_private(network: IPv4Network | IPv6Network) -> bool:
    """Returns whether all of `network` is private. `ip_network.is_private` compares its first and last address only."""
    return any(network.version == private.version and network.subnet_of(private) for private in _PRIVATE)  # type: ignore[arg-type]


def find_risks(settings: Settings) -> Iterator[str]:
    """Yields a sentence for each choice that production may have, and that an operator should know of."""
    if not settings.is_production:
        return
    local = [
        *(["the database (SQLite)"] if settings.database_address.startswith("sqlite") else []),
        *(["documents (a folder)"] if settings.object_store is None else []),
    ]
    redis = urlsplit(settings.rate_limit_storage or "")
    risks = {
        f"On the disk of this machine: {' and '.join(local)}. All processes must run here, and the data directory "
        "needs backups. docs/engines.md describes backends for more than one machine.": bool(local),
        f"Reached without encryption, as UNDERSIGN_UNENCRYPTED_HOSTS says: {settings.unencrypted_hosts}.": bool(
            settings.unencrypted_hosts
        ),
        "The certificate of the database server is not verified; ?ssl=verify-full does it.": (
            "ssl=require" in settings.database_address
        ),
        "Redis takes commands without a password.": bool(redis.hostname) and not redis.password,
        "Each API process counts requests separately; with several, set UNDERSIGN_RATE_LIMIT_STORAGE.": (
            settings.rate_limit_storage is None and not local
        ),
    }
    yield from (risk for risk, is_present in risks.items() if is_present)

"""Types of settings. Each validates its value at start-up.

The rules of an address and their messages are in the module that uses the address. No message repeats a value: it may
hold a password.
"""

import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, AnyHttpUrl, Field, SecretStr

from adapters.mail.smtp_url import SmtpServer
from adapters.redis_url import check_redis
from adapters.sealing.config import check_seal_key
from config.loader import MAY_BE_EMPTY

T = TypeVar("T", str, SecretStr)

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
"""Ports that browsers leave out of an origin."""


def checked(check: Callable[[str], object]) -> AfterValidator:
    """Returns a validator that keeps a text or secret unchanged if `check` raises no `ValueError` for it."""

    def validate(value: T) -> T:
        check(value.get_secret_value() if isinstance(value, SecretStr) else value)
        return value

    return AfterValidator(validate)


def is_local(host: str) -> bool:
    """Returns whether traffic to `host` stays on this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def split_list(text: str) -> tuple[str, ...]:
    """Returns the items of a comma-separated list, without empty ones."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


def parse_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Returns the networks of a list. An address within a network stands for the whole network."""
    try:
        return tuple(ip_network(item, strict=False) for item in split_list(text))
    except ValueError:
        raise ValueError(
            "write addresses such as 10.1.2.3 or networks such as 10.0.0.0/8, separated by commas, not host names"
        ) from None


def parse_origins(text: str) -> frozenset[str]:
    """Returns the origins of a list of addresses, as browsers send them. Raises `ValueError` if one has none."""
    return frozenset(map(_origin, split_list(text)))


def _origin(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in _DEFAULT_PORTS or not parts.netloc:
        raise ValueError("addresses begin with http:// or https://, and are separated by commas")
    if "@" in parts.netloc or not parts.netloc.isascii():
        raise ValueError("addresses hold no user and no password; write names of hosts in ASCII (xn--...)")
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(_DEFAULT_PORTS[parts.scheme])}"


def _origin_only(url: AnyHttpUrl) -> AnyHttpUrl:
    if url.path not in {None, "/"} or url.query is not None or url.fragment is not None:
        raise ValueError("nothing may follow the host and its port: the service answers at the root of its address")
    if url.username is not None or url.password is not None:
        raise ValueError("it must hold no user and no password: it is part of every mail")
    return url


def _check_http_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ValueError("it must be https://host/path or http://host/path; in a password write / ? # @ as %2F %3F ...")


def _matching(pattern: str, advice: str) -> AfterValidator:
    """Returns a validator that refuses texts that do not match `pattern` as a whole. `advice` is the message."""

    def check(text: str) -> None:
        if not re.fullmatch(pattern, text):
            raise ValueError(advice)

    return checked(check)


def _read_database_url(text: str) -> str:
    from adapters.database.url import read_address  # noqa: PLC0415  # slow to load, and most commands need no database

    return read_address(text)


Port = Annotated[int, Field(ge=0, le=65535)]
Limit = Annotated[int, Field(ge=0, le=1_000_000)]
Slots = Annotated[int, Field(ge=2, le=10_000)]
Networks = Annotated[str, AfterValidator(lambda text: ",".join(map(str, parse_networks(text)))), MAY_BE_EMPTY]
Origins = Annotated[str, checked(parse_origins), MAY_BE_EMPTY]
Hosts = Annotated[
    str,
    _matching(r"[A-Za-z0-9.:_-]+( *, *[A-Za-z0-9.:_-]+)*|", "write names or addresses of hosts, separated by commas"),
    MAY_BE_EMPTY,
]
Deployment = Annotated[
    str,
    _matching(
        "[A-Za-z0-9][A-Za-z0-9._-]{0,100}",
        "use letters, digits, dots, hyphens and underscores, a letter or digit first, at most 101",
    ),
]
Bucket = Annotated[
    str,
    _matching(
        "gs://[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]",
        "name a bucket of Google Cloud Storage, as in gs://signed-documents; without one, a folder is used",
    ),
]
Issuer = Annotated[
    str,
    _matching(
        r"(https://|http://(localhost|127\.0\.0\.1)[:/])[^?# ]+",
        "it must be an address that begins with https://, without a query; http:// only on this machine",
    ),
]
HostName = Annotated[
    str, _matching(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*|[0-9a-f:.]+", "write the name of a host, or its IP address, alone")
]
MailAddress = Annotated[
    str,
    _matching(
        r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*",
        "this is not a mail address; write the address alone, without a name, in ASCII",
    ),
]
TemporalAddress = Annotated[
    str, _matching("[^/]+:[0-9]+", "it must be a host and its port, and nothing else: host:7233")
]
Claim = Annotated[str, Field(min_length=1, max_length=200)]
PublicUrl = Annotated[AnyHttpUrl, AfterValidator(_origin_only)]
SmtpUrl = Annotated[SecretStr, checked(SmtpServer.at)]
TimestampUrl = Annotated[SecretStr, checked(_check_http_url)]
DatabaseUrl = Annotated[str, AfterValidator(_read_database_url)]
RedisUrl = Annotated[str, checked(check_redis)]
SealKey = Annotated[str, checked(check_seal_key)]

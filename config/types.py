"""Kinds of values that settings have: each is understood at the start, or the start stops.

What a kind is made of, and the words about what is wrong, stand beside the code that uses it. No message repeats a
value: it may hold a password.
"""

import re
from ipaddress import ip_network
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, AnyHttpUrl, Field, SecretStr

from adapters.mail.smtp_url import SmtpServer
from adapters.redis_url import check_redis
from adapters.sealing.config import check_seal_key
from config.lists import checked, origins_of, parts_of
from config.loader import MAY_BE_EMPTY

_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


def _networks(text: str) -> str:
    """The networks as the library writes them: an address within one stands for the whole of it."""
    return ",".join(str(_network(part)) for part in parts_of(text))


def _network(text: str) -> object:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ValueError(
            "write addresses such as 10.1.2.3 or networks such as 10.0.0.0/8, separated by commas; no names of hosts"
        ) from None


def _sender(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise ValueError("this is no mail address; write the address alone, without a name, in ASCII")
    return text


def _origin_only(url: AnyHttpUrl) -> AnyHttpUrl:
    if url.path not in {None, "/"} or url.query is not None or url.fragment is not None:
        raise ValueError("nothing may follow the host and its port: the service answers at the root of its address")
    if url.username is not None or url.password is not None:
        raise ValueError("it must hold no user and no password: it stands in every mail")
    return url


def _smtp(url: SecretStr) -> SecretStr:
    SmtpServer.at(url.get_secret_value())
    return url


def _authority(url: SecretStr) -> SecretStr:
    try:
        parts = urlsplit(url.get_secret_value())
        is_one = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        is_one = False
    if not is_one:
        raise ValueError("it must be https://host/path or http://host/path; in a password write / ? # @ as %2F %3F ...")
    return url


def _temporal(address: str) -> str:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in address:
        raise ValueError("it must be a host and its port, and nothing before or after them: host:7233")
    return address


def _matching(pattern: str, advice: str) -> AfterValidator:
    """Refuses texts that `pattern` does not match as a whole, with `advice`."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(advice)
        return text

    return AfterValidator(check)


def _database(text: str) -> str:
    from adapters.database.url import read_address  # noqa: PLC0415  # slow to load; most commands have none

    return read_address(text)


Port = Annotated[int, Field(ge=0, le=65535)]
Limit = Annotated[int, Field(ge=0, le=1_000_000)]
Slots = Annotated[int, Field(ge=2, le=10_000)]
Networks = Annotated[str, AfterValidator(_networks), MAY_BE_EMPTY]
Origins = Annotated[str, AfterValidator(checked(origins_of)), MAY_BE_EMPTY]
Deployment = Annotated[
    str,
    _matching(
        "[A-Za-z0-9][A-Za-z0-9._-]{0,100}",
        "take letters, digits, dots, hyphens and underscores, a letter or digit first, at most 101",
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
Claim = Annotated[str, Field(min_length=1, max_length=200)]
MailAddress = Annotated[str, AfterValidator(_sender)]
PublicUrl = Annotated[AnyHttpUrl, AfterValidator(_origin_only)]
SmtpUrl = Annotated[SecretStr, AfterValidator(_smtp)]
TimestampUrl = Annotated[SecretStr, AfterValidator(_authority)]
TemporalAddress = Annotated[str, AfterValidator(_temporal)]
DatabaseUrl = Annotated[str, AfterValidator(_database)]
RedisUrl = Annotated[str, AfterValidator(check_redis)]
SealKey = Annotated[str, AfterValidator(check_seal_key)]

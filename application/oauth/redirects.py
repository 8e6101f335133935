"""Redirect addresses: validation, and comparison of a registered address with a requested one (RFC 8252).

Addresses are compared as strings. Only the port of an http loopback address may differ, since a program listens on
any free port.
"""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

LONGEST = 1_000
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,1000}")
_OWN_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})

RULE = (
    "a redirect address is an absolute https address, or an http address of 127.0.0.1, [::1] or localhost, without "
    "user name, password and fragment, of at most 1,000 characters"
)


def split(address: str) -> SplitResult | None:
    """Returns the parts of a redirect address; None if `address` violates `RULE`."""
    if not _PRINTABLE.fullmatch(address) or "\\" in address or "#" in address:
        return None
    try:
        parts = urlsplit(address)
        port, host = parts.port, parts.hostname
    except ValueError:
        return None
    if not host or port == 0 or "@" in parts.netloc or not _is_host(host):
        return None
    return parts if parts.scheme == "https" or (parts.scheme == "http" and is_own_machine(parts)) else None


def is_own_machine(parts: SplitResult) -> bool:
    """Returns whether the host is a loopback address or localhost."""
    return parts.hostname in _OWN_MACHINE


def is_same(registered: str, named: str) -> bool:
    """Returns whether the requested address `named` matches the address `registered`."""
    if registered == named:
        return split(named) is not None
    first, second = split(registered), split(named)
    if first is None or second is None or first.scheme != "http" or not is_own_machine(first):
        return False
    return first.hostname == second.hostname and first._replace(netloc="") == second._replace(netloc="")


def origin_of(address: str) -> str:
    """Returns the source that a Content-Security-Policy needs to allow a redirect to `address`."""
    parts = urlsplit(address)
    # A policy cannot name an IPv6 address.
    return f"{parts.scheme}:" if ":" in (parts.hostname or "") else f"{parts.scheme}://{parts.netloc}"


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            return ip_address(host).version == 6
        except ValueError:
            return False
    return re.fullmatch(r"[a-z0-9._-]{1,253}", host) is not None

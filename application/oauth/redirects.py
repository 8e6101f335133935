"""Where an answer may be sent: redirect addresses, as a program registers them and as it names one (RFC 8252).

They are compared as texts. Only the port of an address of the program's own machine is free, since a program takes
whichever one is there when it starts.
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
    """The parts of a redirect address; None for what cannot be one, as `RULE` says."""
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
    """Whether the address leads to a program on the machine of whoever is asked."""
    return parts.hostname in _OWN_MACHINE


def is_same(registered: str, named: str) -> bool:
    """Whether an answer may be sent to `named` when `registered` was registered."""
    if registered == named:
        return split(named) is not None
    first, second = split(registered), split(named)
    if first is None or second is None or first.scheme != "http" or not is_own_machine(first):
        return False
    return _without_port(first) == _without_port(second)


def origin_of(address: str) -> str:
    """What a Content-Security-Policy allows forms to lead to, so that the answer gets there."""
    parts = urlsplit(address)
    # No policy can name an address of IPv6.
    return f"{parts.scheme}:" if ":" in (parts.hostname or "") else f"{parts.scheme}://{parts.netloc}"


def _without_port(parts: SplitResult) -> tuple[str, str | None, str, str]:
    return parts.scheme, parts.hostname, parts.path, parts.query


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            return ip_address(host).version == 6
        except ValueError:
            return False
    return re.fullmatch(r"[a-z0-9._-]{1,253}", host) is not None

"""Redirect addresses: validation, and comparison of a registered address with a requested one (RFC 8252).

Addresses are compared as strings. Only the port of an http loopback address may differ, since a program listens on
any free port, and its path may be "/" or empty.
"""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

MAX_LENGTH = 1_000
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,1000}")
_OWN_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})
_SCHEME = re.compile(r"[a-z][a-z0-9.+-]*")

_NOT_PRIVATE = frozenset(
    {
        "about", "blob", "cid", "content", "data", "dav", "facetime", "feed", "file", "filesystem", "ftp", "ftps",
        "geo", "git", "gopher", "http", "https", "imap", "intent", "irc", "jar", "javascript", "ldap", "ldaps",
        "livescript", "magnet", "mailto", "market", "mid", "mms", "news", "nfs", "nntp", "pop", "resource", "rsync",
        "rtsp", "search", "sftp", "shell", "sip", "sips", "sms", "smb", "smsto", "ssh", "svn", "tel", "telnet", "urn",
        "vbscript", "view-source", "webcal", "ws", "wss", "wyciwyg", "xmpp",
    }
)  # fmt: skip
"""Schemes of browsers, operating systems and standards, which no program owns."""

_SYSTEM = re.compile(r"(ms-|search-|android-|chrome|edge|moz-|opera|x-apple|itms|safari|devtools).*")
"""Schemes that open a part of an operating system or a browser."""

RULE = (
    "a redirect address is an absolute https address, an http address of 127.0.0.1, [::1] or localhost, or one with a "
    "scheme of the program itself, such as com.example.app:/callback, without user name, password and fragment, of at "
    "most 1,000 characters"
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
    if is_private(parts):
        return parts if "@" not in parts.netloc and (host or parts.path.strip("/")) else None
    if not host or port == 0 or "@" in parts.netloc or not _is_host(host):
        return None
    return parts if parts.scheme == "https" or (parts.scheme == "http" and is_own_machine(parts)) else None


def is_private(parts: SplitResult) -> bool:
    """Returns whether the scheme is one of a program on the user's device (RFC 8252 section 7.1)."""
    scheme = parts.scheme
    is_reserved = scheme in _NOT_PRIVATE or _SYSTEM.fullmatch(scheme)
    return _SCHEME.fullmatch(scheme) is not None and not is_reserved


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
    return first.hostname == second.hostname and _without_port(first) == _without_port(second)


def _without_port(parts: SplitResult) -> SplitResult:
    return parts._replace(netloc="", path=parts.path or "/")


def origin_of(address: str) -> str:
    """Returns the source that a Content-Security-Policy needs to allow a redirect to `address`."""
    parts = urlsplit(address)
    if is_private(parts) or ":" in (parts.hostname or ""):  # a policy cannot name an IPv6 address
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def _is_host(host: str) -> bool:
    if ":" in host:
        try:
            return ip_address(host).version == 6
        except ValueError:
            return False
    return re.fullmatch(r"[a-z0-9._-]{1,253}", host) is not None

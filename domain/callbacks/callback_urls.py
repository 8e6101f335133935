"""Rules for callback URLs, and the IP address ranges to which callbacks may connect (Specification 6.2, 6.3)."""

import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

MAX_LENGTH = 2_048
"""Maximum characters of a callback URL."""

_UNICAST = IPv6Network("2000::/3")
"""The global unicast range of IPv6."""

_NOT_PUBLIC: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("0.0.0.0/8"),  # this machine
    IPv4Network("10.0.0.0/8"),  # private
    IPv4Network("100.64.0.0/10"),  # carrier-grade NAT (RFC 6598); metadata of Alibaba Cloud
    IPv4Network("127.0.0.0/8"),  # this machine
    IPv4Network("168.63.129.16/32"),  # platform services of Azure
    IPv4Network("169.254.0.0/16"),  # link-local; metadata of most clouds
    IPv4Network("172.16.0.0/12"),  # private
    IPv4Network("192.0.0.0/24"),  # protocol assignments; metadata of Oracle Cloud
    IPv4Network("192.0.2.0/24"),  # documentation
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.168.0.0/16"),  # private
    IPv4Network("198.18.0.0/15"),  # benchmarks
    IPv4Network("198.51.100.0/24"),  # documentation
    IPv4Network("203.0.113.0/24"),  # documentation
    IPv4Network("224.0.0.0/3"),  # multicast, reserved, broadcast
    IPv6Network("2001::/23"),  # protocol assignments; Teredo, which carries IPv4
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2002::/16"),  # 6to4, which carries IPv4
    IPv6Network("3fff::/20"),  # documentation
)

_NEVER = tuple(
    map(
        ip_network,
        (
            "169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32", "224.0.0.0/4",
            "255.255.255.255/32", "fd00:ec2::254/128", "fe80::/10", "ff00::/8",
        ),
    )
)  # fmt: skip
"""Cloud metadata, link-local and multicast. Refused also if the operator allows private addresses."""

_ABSOLUTE = "Give an absolute https URL, for example https://example.com/callbacks."


def callback_url_errors(url: str, *, private: bool) -> tuple[str, ...]:
    """Returns the errors of `url`, as sentences that say what to do; empty if it is valid.

    With `private`, plain http and private addresses are allowed. Names are resolved at each attempt, not here.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # brackets without an address in them, a port that is not a number
        return (_ABSOLUTE,)
    if not _is_plain(url) or parts.scheme not in {"https", "http"} or not parts.hostname or port == 0:
        return (_ABSOLUTE,)
    return tuple(_refused(url, parts, private=private))


def _is_plain(url: str) -> bool:
    """Returns whether `url` contains only characters of URLs. URL parsers disagree about other characters."""
    return url.isascii() and url.isprintable() and not any(character in ' "<>\\^`{|}' for character in url)


def _refused(url: str, parts: SplitResult, *, private: bool) -> Iterator[str]:
    if len(url) > MAX_LENGTH:
        yield f"Shorten the URL to {MAX_LENGTH} characters."
    if "@" in parts.netloc:
        yield "Take the user name and the password out of the URL."
    if "#" in url:
        yield "Take the fragment (everything from # on) out of the URL."
    if private:
        return
    if parts.scheme == "http":
        yield "Use https; the operator of this service does not allow plain http."
    if not _may_be_public(parts.hostname or ""):
        yield "Use a public address; the operator of this service does not allow private ones."


def _may_be_public(host: str) -> bool:
    """Returns whether `host` is a public address, or a name that may resolve to one."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return False
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        try:
            address = ip_address(socket.inet_aton(name))  # short and hexadecimal forms, such as 127.1 and 0x7f000001
        except (OSError, ValueError):
            return True
    return is_public(address)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Returns whether `address` is a public unicast address that embeds no other address."""
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False  # such as IPv4-mapped, NAT64 and unique local addresses
    return not _is_in(address, _NOT_PUBLIC)


def is_never_allowed(address: IPv4Address | IPv6Address) -> bool:
    """Returns whether `address` is refused even if the operator allows private ones."""
    carried = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return _is_in(carried or address, _NEVER)


def _is_in(address: IPv4Address | IPv6Address, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    return any(network.version == address.version and address in network for network in networks)

"""IP address ranges to which callbacks may connect (Specification 6.3)."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_UNICAST = IPv6Network("2000::/3")
"""The global unicast range of IPv6."""

_NOT_PUBLIC: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("0.0.0.0/8"),  # this machine
    IPv4Network("10.0.0.0/8"),  # private
    IPv4Network("100.64.0.0/10"),  # shared by customers of one carrier; metadata of one cloud
    IPv4Network("127.0.0.0/8"),  # this machine
    IPv4Network("168.63.129.16/32"),  # metadata of one cloud
    IPv4Network("169.254.0.0/16"),  # link-local; metadata of most clouds
    IPv4Network("172.16.0.0/12"),  # private
    IPv4Network("192.0.0.0/24"),  # protocol assignments; metadata of one cloud
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

_NEVER: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("168.63.129.16/32"),
    IPv4Network("100.100.100.200/32"),
    IPv4Network("192.0.0.192/32"),
    IPv4Network("224.0.0.0/4"),
    IPv4Network("255.255.255.255/32"),
    IPv6Network("fd00:ec2::254/128"),
    IPv6Network("fe80::/10"),
    IPv6Network("ff00::/8"),
)
"""Cloud metadata, link-local and multicast. Refused also if the operator allows private addresses."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Returns whether `address` is a public unicast address that embeds no other address."""
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False  # among much else: mapped IPv4, NAT64, unique local
    return not _is_in(address, _NOT_PUBLIC)


def is_never_allowed(address: IPv4Address | IPv6Address) -> bool:
    """Returns whether `address` is refused even if the operator allows private ones."""
    carried = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return _is_in(carried or address, _NEVER)


def _is_in(address: IPv4Address | IPv6Address, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    return any(network.version == address.version and address in network for network in networks)

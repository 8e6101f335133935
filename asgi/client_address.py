"""From which network address a request comes: the peer of the connection, or whom a trusted proxy names."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from types import MappingProxyType

from fastapi import Request

_NETWORKS: Mapping[int, int] = MappingProxyType({48: 8, 64: 1})
"""What an IPv6 address is counted with, by its prefix: everybody has the addresses of a /64, many those of a /48. So
many times of a quota does each network get.
"""


def client_address(request: Request) -> IPv4Address | IPv6Address | None:
    """The address; None when what the server or its proxy names is none. IPv4 inside IPv6 is IPv4."""
    try:
        address = ip_address(request.client.host if request.client else "")
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return address
    return None if address.scope_id else address.ipv4_mapped or address


def counted_networks(request: Request) -> Mapping[str, int]:
    """The networks as which the client is counted, each with how many times of a quota it gets; the last is its own."""
    address = client_address(request)
    if not isinstance(address, IPv6Address):
        return {str(address or "unknown"): 1}
    return {str(ip_network((address, prefix), strict=False)): times for prefix, times in _NETWORKS.items()}

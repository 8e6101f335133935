"""SSRF-safe connections: resolves the name once, checks every address, and connects to a checked one.

`domain.callbacks.callback_urls` knows which addresses are public, and refuses URLs with others. httpcore
does TLS, SNI, certificate validation and HTTP, and uses the name for them, not the address.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address

import httpcore

from domain.callbacks.callback_urls import is_never_allowed, is_public

Address = IPv4Address | IPv6Address
Lookup = Callable[[str, int], Awaitable[tuple[Address, ...]]]

LOOKUPS_AT_ONCE = 64
"""Maximum concurrent look-ups. They have their own threads, because a DNS server that hangs blocks a thread each."""

ADDRESSES_TRIED = 4
"""Maximum addresses of a name that are tried."""

CONNECT_SECONDS = 5.0
"""Timeout of one address, so that another can be tried within the whole time."""

_threads = ThreadPoolExecutor(LOOKUPS_AT_ONCE, thread_name_prefix="look-up")


class AddressRefused(Exception):
    """The name has an address that is not public, and the operator allows public ones only."""


class NameNotFound(Exception):
    """The name has no address, or no name server answered."""


async def look_up(host: str, port: int) -> tuple[Address, ...]:
    """Returns the addresses of `host`, in the order of the system. Raises `NameNotFound`."""
    try:
        found = await asyncio.get_running_loop().run_in_executor(
            _threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
    except (OSError, UnicodeError) as error:
        raise NameNotFound from error
    return tuple(dict.fromkeys(ip_address(str(sockaddr[0])) for *_, sockaddr in found))


class SsrfSafeBackend(httpcore.AsyncNetworkBackend):
    """Connects to checked addresses, for one attempt. `private` allows addresses that are not public."""

    def __init__(self, *, private: bool, lookup: Lookup = look_up) -> None:
        self._private = private
        self._lookup = lookup
        self._network = httpcore.AnyIOBackend()
        self._streams: list[httpcore.AsyncNetworkStream] = []

    async def close(self) -> None:
        """Closes open connections: a cancelled TLS handshake leaves its connection open."""
        while self._streams:
            await self._streams.pop().aclose()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connects to a checked address of `host`. Raises `AddressRefused`, `NameNotFound` or errors of httpcore."""
        addresses = await self._lookup(host, port)
        if not addresses:
            raise NameNotFound
        if not all(map(self._may_be_called, addresses)):
            raise AddressRefused
        failure: Exception = NameNotFound()
        for address in addresses[:ADDRESSES_TRIED]:
            try:
                stream = await self._network.connect_tcp(
                    str(address), port, min(timeout or CONNECT_SECONDS, CONNECT_SECONDS), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            self._streams.append(stream)
            return stream
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)

    def _may_be_called(self, address: Address) -> bool:
        return not is_never_allowed(address) if self._private else is_public(address)

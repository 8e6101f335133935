"""Ends connections that send or read too slowly, and refuses too many of one network."""

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import ClassVar, Literal

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of connections, in seconds, bytes and numbers.

    A head must be complete after `head`. A body has `body`, and a second more for every `rate` bytes. A client
    that reads less than `rate` bytes a second of a response is disconnected after `stalled`. All is checked every
    `step`. A network has at most `in_network` connections, except trusted proxies and this machine, and all together
    have `in_all`.
    """

    head: float = 20
    body: float = 30
    rate: int = 2_000
    stalled: float = 60
    step: float = 5
    in_network: int = 256
    in_all: int = 4_000


class ImpatientHttp(HttpToolsProtocol):
    """A connection that ends when it is slow. `limits` are those of every connection of the class."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()

    _reading: Literal["head", "body"] | None = None
    _since = 0.0
    """When the head or the body began."""
    _body_bytes = 0
    _unsent = 0
    """Bytes of the response that the client had not read at the last check."""
    _stalled = 0.0
    """Seconds for which it has read too little."""
    _network = ""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._network = _network_of(self.client[0] if self.client else "", str(self.config.forwarded_allow_ips or ""))
        same = sum(getattr(other, "_network", "") == self._network for other in self.connections)
        if len(self.connections) > self.limits.in_all or (self._network and same > self.limits.in_network):
            log.warning("a connection is refused: there are too many", connections=len(self.connections), same=same)
            transport.abort()
            return
        self._begin("head")
        self._check_later()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._reading is None:
            self._begin("head")
        super().data_received(data)

    def on_message_begin(self) -> None:
        if self._reading is None:  # a request in the same bytes as the one before
            self._begin("head")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._begin("body")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._reading = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._since = self.loop.time()  # the next head may have begun during the response
        super().on_response_complete()

    def resume_writing(self) -> None:
        self._stalled = 0
        super().resume_writing()

    def _begin(self, part: Literal["head", "body"]) -> None:
        self._reading, self._since, self._body_bytes = part, self.loop.time(), 0

    def _check_later(self) -> None:
        self._timer = self.loop.call_later(self.limits.step, self._check)

    def _check(self) -> None:
        if self._is_slow():
            self.transport.abort()
        else:
            self._check_later()

    def _is_slow(self) -> bool:
        limits, passed = self.limits, self.loop.time() - self._since
        if self._reading == "head" and (self.cycle is None or self.cycle.response_complete) and passed > limits.head:
            return True
        if self._reading == "body":
            if self.flow.read_paused:  # the service is slow, not the client
                self._since += limits.step
            elif passed > limits.body + self._body_bytes / limits.rate:
                return True
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size()
        is_read = self._unsent <= max(0, before - limits.rate * limits.step) or not before
        self._stalled = 0 if is_read else self._stalled + limits.step
        return self._stalled >= limits.stalled


@lru_cache(maxsize=4096)
def _network_of(host: str, trusted: str) -> str:
    """Returns the network of a peer, of which connections are counted together; "" if they are not limited."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback or any(address in network for network in _networks(trusted)):
        return ""
    return str(ip_network((address, 64 if address.version == 6 else 32), strict=False))  # IPv6


def _networks(trusted: str) -> list[IPv4Network | IPv6Network]:
    return [ip_network(one.strip(), strict=False) for one in trusted.split(",") if one.strip() not in {"", "*"}]

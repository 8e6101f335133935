"""Rate limits by organisation, client and network address (Specification 8.3).

Every counted response has the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from ipaddress import IPv6Address, ip_network
from types import MappingProxyType

from fastapi import Request
from starlette.types import Scope as AsgiScope

from application.caller import Caller
from application.errors import RateLimited
from application.scopes import Scope
from application.services import Services
from domain.ports.limits import Quota, RateLimitStatus
from web.asgi.client_address import client_address

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_STATUS = "rate_limit"

_NETWORKS: Mapping[int, int] = MappingProxyType({48: 8, 64: 1})
"""Prefix lengths under which an IPv6 address is counted, each with its multiple of the quota. Every client has a /64,
many have a /48.
"""


DAY = 86_400
REGISTRATIONS_A_DAY = 10
"""Registrations per day from one network address, as a multiple of the quota per minute."""

LINKS_A_DAY = 5
"""Sign-in links per day to one mail address from one network address, as a multiple of the quota per minute."""


async def count_call(request: Request, caller: Caller, scopes: Sequence[Scope], is_read: bool | None = None) -> None:
    """Counts a call of the API, which requires one of `scopes`, if there are any. `is_read` overrides the method.

    A refused call counts against its client alone, so that it stops no other client of the organisation.

    Raises:
        RateLimited: too many calls of the organisation, or too many refused ones of the client.
        InsufficientScope: the caller has none of `scopes`.
    """
    services: Services = request.app.state.services
    if is_read is None:
        is_read = request.method in _READING
    name = "reads" if is_read else "writes"
    is_refused = bool(scopes) and not caller.may(*scopes)
    key = f"client {caller.client_id}" if is_refused else caller.organisation_id
    await _count(request, Quota(name, getattr(services.quotas, name)), key)
    if is_refused:
        caller.require(*scopes)


def _count_by_address(name: str) -> Callable[[Request], Awaitable[None]]:
    """Returns a dependency that counts a request against the quota `name` of `Quotas`; raises `RateLimited`."""

    async def count(request: Request) -> None:
        services: Services = request.app.state.services
        await _count_address(request, Quota(name, getattr(services.quotas, name)))

    return count


count_token = _count_by_address("tokens")
"""Counts a token request, successful or not."""

count_page = _count_by_address("pages")
"""Counts a page that is read or posted."""

count_check = _count_by_address("checks")
"""Counts a post of files for verification."""


async def count_sign_in(request: Request, email: str, browser: str | None = None) -> None:
    """Counts a request for a sign-in link to `email`; raises `RateLimited`.

    It counts by the address and the network together, so strangers elsewhere do not use up the user's requests. A
    `browser` in which the user has signed in before is counted alone.
    """
    services: Services = request.app.state.services
    links = services.quotas.links
    if browser is not None:
        await _count(request, Quota("sign-in-links", links), f"{email} {browser}")
        return
    await _count_address(request, Quota("sign-ins", services.quotas.sign_ins))
    await _count_address(request, Quota("sign-in-links-a-day", LINKS_A_DAY * links, DAY), of=email)
    await _count_address(request, Quota("sign-in-links", links), of=email)


async def count_provider_sign_in(request: Request) -> None:
    """Counts one of the two requests of a sign-in by a provider; raises `RateLimited`."""
    services: Services = request.app.state.services
    await _count_address(request, Quota("provider-sign-ins", 2 * services.quotas.sign_ins))


async def count_registration(request: Request) -> None:
    """Counts a registration; raises `RateLimited`.

    One address can register fewer applications per day than are stored without approval, so it cannot displace all
    others.
    """
    services: Services = request.app.state.services
    quota = services.quotas.registrations
    await _count_address(request, Quota("registrations-a-day", REGISTRATIONS_A_DAY * quota, DAY))
    await _count_address(request, Quota("registrations", quota))


def counted_networks(request: Request) -> Mapping[str, int]:
    """Returns the networks that the client counts against, each with its multiple of the quota; its own is last."""
    address = client_address(request)
    if not isinstance(address, IPv6Address):
        return {str(address or "unknown"): 1}
    return {str(ip_network((address, prefix), strict=False)): times for prefix, times in _NETWORKS.items()}


async def _count_address(request: Request, quota: Quota, of: str = "") -> None:
    """Counts by the network address of the client, and by `of` if it is given."""
    for network, times in counted_networks(request).items():
        await _count(request, replace(quota, requests=quota.requests * times), f"{of} {network}".lstrip())


_ADVICE = {"tokens": " An access token is valid for an hour: keep it, and use it for all calls."}
"""What to do otherwise, by quota."""


async def _count(request: Request, quota: Quota, key: str) -> None:
    services: Services = request.app.state.services
    status = await services.rate_limits.hit(quota, key)
    if status is None:
        return
    request.scope.setdefault("state", {})[_STATUS] = status
    if status.is_exceeded:
        raise RateLimited(status.resets_in, _ADVICE.get(quota.name, ""))


def rate_limit_headers(scope: AsgiScope) -> Mapping[str, str]:
    """Returns the headers of a counted request, as structured fields (RFC 9651); none if it was not counted."""
    status: RateLimitStatus | None = scope.get("state", {}).get(_STATUS)
    if status is None:
        return {}
    quota = status.quota
    return {
        "RateLimit-Policy": f'"{quota.name}";q={quota.requests};w={quota.seconds}',
        "RateLimit": f'"{quota.name}";r={status.remaining};t={status.resets_in}',
    }

"""Rate limits: reads and writes by organisation, tokens and pages by network address (Specification 8.3).

Every counted response carries `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
"""

from collections.abc import Mapping
from dataclasses import replace

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.errors import RateLimited
from application.services import Services
from asgi.client_address import counted_networks
from ports.limits import Quota, Quotas, RateLimitStatus

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_STANDING = "rate_limit"

DAY = 86_400
REGISTRATIONS_A_DAY = 10
"""Registrations per day from one network address, as a multiple of the quota per minute."""


async def count_call(request: Request, services: Services, organisation_id: str, is_read: bool | None = None) -> None:
    """Counts a call of the API; raises `RateLimited`. `is_read` overrides the method."""
    quotas = services.quotas
    if is_read is None:
        is_read = request.method in _READING
    quota = Quota("reads", quotas.reads) if is_read else Quota("writes", quotas.writes)
    await _count(request, services, quota, organisation_id)


async def count_token(request: Request) -> None:
    """Counts a token request, successful or not; raises `RateLimited`."""
    await _count_address(request, Quota("tokens", _quotas(request).tokens))


async def count_page(request: Request) -> None:
    """Counts a page that is read or posted; raises `RateLimited`."""
    await _count_address(request, Quota("pages", _quotas(request).pages))


async def count_sign_in(request: Request, whose: str) -> None:
    """Counts a request for a sign-in link to the address `whose`; raises `RateLimited`."""
    services: Services = request.app.state.services
    await _count_address(request, Quota("sign-ins", services.quotas.sign_ins))
    await _count(request, services, Quota("sign-in-links", services.quotas.links), whose)


async def count_check(request: Request) -> None:
    """Counts a post of files to be checked; raises `RateLimited`."""
    await _count_address(request, Quota("checks", _quotas(request).checks))


async def count_registration(request: Request) -> None:
    """Counts a registration; raises `RateLimited`.

    One address registers fewer per day than are stored unapproved, so it cannot displace all others.
    """
    quota = _quotas(request).registrations
    await _count_address(request, Quota("registrations-a-day", REGISTRATIONS_A_DAY * quota, DAY))
    await _count_address(request, Quota("registrations", quota))


def _quotas(request: Request) -> Quotas:
    services: Services = request.app.state.services
    return services.quotas


async def _count_address(request: Request, quota: Quota) -> None:
    for network, times in counted_networks(request).items():
        await _count(request, request.app.state.services, replace(quota, requests=quota.requests * times), network)


async def _count(request: Request, services: Services, quota: Quota, whose: str) -> None:
    standing = await services.rate_limits.hit(quota, whose)
    if standing is None:
        return
    request.scope.setdefault("state", {})[_STANDING] = standing
    if standing.is_exceeded:
        raise RateLimited(standing.resets_in)


class RateLimitHeaders:
    """Adds the rate limit headers to the response of a counted request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_standing(message: Message) -> None:
            standing = scope.get("state", {}).get(_STANDING)
            if message["type"] == "http.response.start" and standing is not None:
                MutableHeaders(scope=message).update(headers_of(standing))
            await send(message)

        await self._app(scope, receive, send_with_standing)


def headers_of(standing: RateLimitStatus) -> Mapping[str, str]:
    """Returns the headers for `standing`, as structured fields (RFC 9651)."""
    quota = standing.quota
    return {
        "RateLimit-Policy": f'"{quota.name}";q={quota.requests};w={quota.seconds}',
        "RateLimit": f'"{quota.name}";r={standing.remaining};t={standing.resets_in}',
    }

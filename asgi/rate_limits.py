"""Rate limits: for each organisation what it reads and writes, for each address tokens and pages (Specification 8.3).

A client is told where it stands in every answer that was counted, in the fields `RateLimit` and `RateLimit-Policy` of
the IETF's draft (draft-ietf-httpapi-ratelimit-headers).
"""

from collections.abc import Mapping
from dataclasses import replace

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from application.errors import RateLimited
from application.quotas import Quotas
from application.services import Services
from asgi.client_address import counted_networks
from ports.limits import Quota, RateLimitStatus

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_STANDING = "rate_limit"

DAY = 86_400
REGISTRATIONS_A_DAY = 10
"""Times the quota of a minute: so many programs register in a day from one network address."""


async def count_call(request: Request, services: Services, organisation_id: str, is_read: bool | None = None) -> None:
    """Counts a call of the API; raises `RateLimited`. Whether it reads is said by its method, or by `is_read`."""
    quotas = services.quotas
    if is_read is None:
        is_read = request.method in _READING
    quota = Quota("reads", quotas.reads) if is_read else Quota("writes", quotas.writes)
    await _count(request, services, quota, organisation_id)


async def count_token(request: Request) -> None:
    """Counts a request for an access token, good or bad; raises `RateLimited`."""
    await _count_address(request, Quota("tokens", _quotas(request).tokens))


async def count_page(request: Request) -> None:
    """Counts a page that is read or posted; raises `RateLimited`."""
    await _count_address(request, Quota("pages", _quotas(request).pages))


async def count_sign_in(request: Request, whose: str) -> None:
    """Counts a sign-in link that is asked for, for `whose` mail address, known or not; raises `RateLimited`."""
    services: Services = request.app.state.services
    await _count_address(request, Quota("sign-ins", services.quotas.sign_ins))
    await _count(request, services, Quota("sign-in-links", services.quotas.links), whose)


async def count_check(request: Request) -> None:
    """Counts a post of files to be checked; raises `RateLimited`."""
    await _count_address(request, Quota("checks", _quotas(request).checks))


async def count_registration(request: Request) -> None:
    """Counts a program that registers; raises `RateLimited`.

    One address registers fewer in a day than are kept unapproved, so it cannot make all others be forgotten.
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
    """Says in each answer where the client stands, once its request was counted."""

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
    """The fields for `standing`, as structured fields (RFC 9651)."""
    quota = standing.quota
    return {
        "RateLimit-Policy": f'"{quota.name}";q={quota.requests};w={quota.seconds}',
        "RateLimit": f'"{quota.name}";r={standing.remaining};t={standing.resets_in}',
    }

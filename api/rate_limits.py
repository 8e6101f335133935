"""Rate limits: for each organisation what it reads and writes, for each address tokens and pages (contract 15).

A client is told where it stands in every answer that was counted, in the fields `RateLimit` and `RateLimit-Policy` of
the IETF's draft (draft-ietf-httpapi-ratelimit-headers).
"""

from collections.abc import Mapping

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.rate_limits import WINDOW, Quota, Standing
from api.refusals import RateLimited
from api.services import Services

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_STANDING = "rate_limit"


async def count_call(request: Request, services: Services, organisation_id: str, is_read: bool | None = None) -> None:
    """Counts a call of the API; raises `RateLimited`. Whether it reads is said by its method, or by `is_read`."""
    quotas = services.quotas
    if is_read is None:
        is_read = request.method in _READING
    quota = Quota("reads", quotas.reads) if is_read else Quota("writes", quotas.writes)
    await _count(request, services, quota, organisation_id)


async def count_token(request: Request) -> None:
    """Counts a request for an access token, good or bad; raises `RateLimited`."""
    services: Services = request.app.state.services
    await _count(request, services, Quota("tokens", services.quotas.tokens), _address(request))


async def count_page(request: Request) -> None:
    """Counts a page that somebody looks at or hands in; raises `RateLimited`."""
    services: Services = request.app.state.services
    await _count(request, services, Quota("pages", services.quotas.pages), _address(request))


SIGN_INS_AN_ADDRESS = 20
SIGN_INS_A_PERSON = 4
"""Sign-in links that are asked for in a minute, from one network address and for one mail address."""


async def count_sign_in(request: Request, whose: str) -> None:
    """Counts a sign-in link that is asked for, for `whose` mail address, known or not; raises `RateLimited`."""
    services: Services = request.app.state.services
    if services.quotas.pages:
        await _count(request, services, Quota("sign-ins", SIGN_INS_AN_ADDRESS), _address(request))
        await _count(request, services, Quota("sign-in-links", SIGN_INS_A_PERSON), whose)


CHECKS_AN_ADDRESS = 20
"""Posts of files to be checked in a minute, from one network address: each takes a child process for a moment."""


async def count_check(request: Request) -> None:
    """Counts files that somebody has checked; raises `RateLimited`."""
    services: Services = request.app.state.services
    if services.quotas.pages:
        await _count(request, services, Quota("checks", CHECKS_AN_ADDRESS), _address(request))


REGISTRATIONS_AN_ADDRESS = 10
"""Programs that register in a minute, from one network address."""


async def count_registration(request: Request) -> None:
    """Counts a program that registers; raises `RateLimited`."""
    services: Services = request.app.state.services
    if services.quotas.tokens:
        await _count(request, services, Quota("registrations", REGISTRATIONS_AN_ADDRESS), _address(request))


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"


async def _count(request: Request, services: Services, quota: Quota, whose: str) -> None:
    standing = await services.rate_limits.take(quota, whose)
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


def headers_of(standing: Standing) -> Mapping[str, str]:
    """The fields for `standing`, as structured fields (RFC 9651)."""
    quota = standing.quota
    return {
        "RateLimit-Policy": f'"{quota.name}";q={quota.requests};w={WINDOW}',
        "RateLimit": f'"{quota.name}";r={standing.remaining};t={standing.resets_in}',
    }

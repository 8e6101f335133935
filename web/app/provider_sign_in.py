"""Sign-in by the OpenID provider of the operator, which redirects the browser back with a code.

A signed cookie ties the redirect to the browser in which the sign-in began, and contains the page that the user wanted.
If the sign-in is refused, the sign-in page is shown again, which also offers a link by email.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from itsdangerous import BadData, URLSafeTimedSerializer

from application.services import Services
from application.tokens.openid_code_flow import LIFETIME, ProviderSignIn, Refusal, SignInProvider, SignInRefused
from domain.ports.sign_ins import Member
from domain.shared.key_files import SIGNING, oldest_first
from web.app.app_cookies import cookie_name, set_cookie
from web.app.app_router import open_router
from web.app.choose_organisation import choice_page, chosen_member, decline, enter
from web.app.responses import redirect_with_flash
from web.app.sign_in_cookie import start_sign_in
from web.app.sign_in_page import HOME, safe_return_path, sign_in_form
from web.asgi.dependencies import InjectedServices
from web.asgi.rate_limits import count_provider_sign_in
from web.errors import PageNotFound
from web.forms import is_own_request, read_form
from web.page_route import READ, RETRY_SECONDS, OwnPagesOnly
from web.texts import APP

_MAX_COOKIE = 3_800
"""In bytes. Browsers drop a cookie of more than 4,096 bytes, its name and attributes included."""

_CHOICE = "/app/sign-in/provider/organisation"

_STATUSES = {
    Refusal.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    Refusal.OUTDATED: HTTPStatus.BAD_REQUEST,
}
"""The status of the page for each refusal; 403 for all others."""

Counted = Depends(count_provider_sign_in)

router = open_router("/sign-in/provider")

log = structlog.get_logger(__name__)


class SignedCookie:
    """A signed cookie that is valid for `LIFETIME`. `purpose` is a part of its name."""

    def __init__(self, services: Services, purpose: str) -> None:
        self._services = services
        self._name = f"{cookie_name(services.base_url)}-{purpose}"
        self._serializer = URLSafeTimedSerializer(
            oldest_first(services.keys.cookie),
            salt=f"undersign.app.{purpose}",
            signer_kwargs=SIGNING,
        )

    def write(self, response: Response, *values: str, return_to: str) -> None:
        """Sets the cookie. A `return_to` that is too long for it is replaced by the first page of the app."""
        content = str(self._serializer.dumps([*values, return_to]))
        if len(content) > _MAX_COOKIE:
            content = str(self._serializer.dumps([*values, HOME]))
        set_cookie(response, self._services, self._name, content, LIFETIME)

    def read(self, request: Request) -> list[str]:
        """Returns the values and `return_to`; an empty list if the cookie is missing, forged or expired."""
        try:
            values: Any = self._serializer.loads(
                request.cookies.get(self._name, ""), max_age=int(LIFETIME.total_seconds())
            )
        except BadData:
            return []
        return list(values)

    def delete(self, response: Response) -> None:
        set_cookie(response, self._services, self._name, "", LIFETIME)


def _begun(services: Services) -> SignedCookie:
    """Returns the cookie with the `ProviderSignIn` of a browser that was redirected to the provider."""
    return SignedCookie(services, "provider")


def _verified(services: Services) -> SignedCookie:
    """Returns the cookie with the address that the provider verified, for a user of several organisations."""
    return SignedCookie(services, "verified")


def _provider(services: Services) -> SignInProvider:
    """Returns the provider. Raises `PageNotFound` if the operator has none."""
    if services.sign_in_provider is None:
        raise PageNotFound
    return services.sign_in_provider


@router.api_route("", methods=READ, dependencies=[Counted])
async def begin(request: Request, services: InjectedServices) -> Response:
    """Redirects to the provider. A request that another site caused shows the sign-in page instead."""
    provider, return_to = _provider(services), safe_return_path(request.query_params.get("to", HOME))
    if not is_own_request(request):
        return sign_in_form(services, return_to=return_to)
    sign_in = ProviderSignIn.begin()
    try:
        response = RedirectResponse(await provider.address_of(sign_in), HTTPStatus.SEE_OTHER)
    except SignInRefused as error:
        return _refuse(services, error, return_to)
    _begun(services).write(response, *sign_in, return_to=return_to)
    return response


@router.get("/callback", dependencies=[Counted])
async def finish(request: Request, services: InjectedServices) -> Response:
    """Signs in the user whom the provider redirects back, or lets a user of several organisations choose one."""
    provider, cookie = _provider(services), _begun(services)
    *sign_in, return_to = cookie.read(request) or [HOME]
    begun = ProviderSignIn(*sign_in) if sign_in else None
    if begun is None or not begun.has_state(request.query_params.get("state", "")):
        # The cookie stays: a forged address does not end a sign-in that is in progress.
        return _refuse(services, SignInRefused(Refusal.OUTDATED, "another state than this browser's"), return_to)
    try:
        email = await provider.find_email(begun, request.query_params, datetime.now(UTC))
        response = await _enter(request, services, email, return_to)
    except SignInRefused as error:
        response = _refuse(services, error, return_to)
    cookie.delete(response)
    return response


async def _enter(request: Request, services: Services, email: str, return_to: str) -> Response:
    """Signs in the user with the verified address, or redirects a user with several organisations or an invitation.

    Raises `SignInRefused` if no enabled user has the address.
    """
    people = await services.sign_ins.list_members(email)
    if not people:
        raise SignInRefused(Refusal.NO_ACCOUNT, "no user who is not disabled has this address", email)
    if len(people) == 1 and not people[0].user.is_pending:
        return await start_sign_in(request, services, people[0], return_to, by="provider")
    response = RedirectResponse(_CHOICE, HTTPStatus.SEE_OTHER)
    generations = {member.user.user_id: member.standing.generation for member in people}
    _verified(services).write(response, email, json.dumps(generations), return_to=return_to)
    return response


@router.api_route("/organisation", methods=READ)
async def show_organisations(request: Request, services: InjectedServices) -> Response:
    """Shows a button for each organisation of the user."""
    people, return_to = await _find_people(request, services)
    if not people:
        return _refuse(services, SignInRefused(Refusal.OUTDATED, "no verified address"), return_to)
    members = [member for member in people if not member.user.is_pending]
    return choice_page(request, people, _CHOICE, APP.enter_choice_by_provider if len(members) > 1 else "")


@router.post("/organisation", dependencies=[OwnPagesOnly])
async def choose_organisation(request: Request, services: InjectedServices) -> Response:
    """Signs the user in to the chosen organisation."""
    form = await read_form(request)
    people, return_to = await _find_people(request, services)
    if await decline(request, services, people, form):
        return redirect_with_flash("/app/sign-in" if len(people) == 1 else _CHOICE, done="invitation-declined")
    chosen = chosen_member(people, form)
    if chosen is None:
        return _refuse(services, SignInRefused(Refusal.OUTDATED, "no verified address, or of another user"), return_to)
    response = await enter(request, services, chosen, return_to, by="provider")
    _verified(services).delete(response)
    return response


async def _find_people(request: Request, services: Services) -> tuple[Sequence[Member], str]:
    """Returns the users with the address that the provider verified in this browser, and the page they wanted."""
    _provider(services)
    email, generations, return_to = _verified(services).read(request) or ("", "{}", HOME)
    people = await services.sign_ins.list_members(email) if email else ()
    known: dict[str, int] = json.loads(generations)
    return [one for one in people if known.get(one.user.user_id) == one.standing.generation], return_to


def _refuse(services: Services, error: SignInRefused, return_to: str) -> Response:
    """Returns the sign-in page, which says why the user is not signed in."""
    log.warning("a sign-in by the provider was refused", refusal=error.refusal.value, cause=str(error))
    text = APP.table("provider_refusals")[error.refusal]
    refusal = text.format(provider=_provider(services).name, email=error.email)
    status = _STATUSES.get(error.refusal, HTTPStatus.FORBIDDEN)
    response = sign_in_form(services, status, return_to=return_to, refusal=refusal)
    if error.refusal is Refusal.UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response

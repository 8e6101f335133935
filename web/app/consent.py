"""The consent page: an app requests access to an organisation, and a user decides (RFC 6749).

Showing the page changes nothing. The address of the page and of its form contains the whole request, which is parsed
again when the form is posted. The decision is therefore about the request that was shown.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.oauth import redirects
from application.oauth.authorization import (
    REMEMBERED_FOR,
    AuthorizationRequest,
    AuthorizationResponse,
    approve,
    read_request,
)
from application.scopes import PROPOSED, Scope
from application.services import Services
from domain.shared.sending_limit import UNLIMITED, SendingLimit
from web.app.app_router import open_router
from web.app.client_pages import find_limit_problems, parse_limit
from web.app.current_user import CurrentCaller, InjectedForm, SignedInUser, find_signed_in_user
from web.app.responses import redirect_to_sign_in
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ
from web.security_headers import policy_with_form_target
from web.texts import APP

router = open_router()

PATH = "/app/authorize"
DEFAULT_DAILY_RECIPIENTS = 20
"""The default on the page: enough for daily work, too few for mass mailing."""


class ConsentForm(NamedTuple):
    scopes: tuple[Scope, ...]
    per_day: str
    domains: str

    @property
    def mails(self) -> bool:
        return Scope.WRITE_SESSIONS in self.scopes

    @property
    def budget(self) -> SendingLimit:
        if not self.mails:
            return UNLIMITED
        return parse_limit(self.per_day, self.domains)


@router.api_route("/authorize", methods=READ)
async def show_consent(request: Request, services: InjectedServices) -> Response:
    """Shows the page; redirects visitors who are not signed in. Raises `InvalidAuthorizationRequest`."""
    authorization = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(authorization, AuthorizationResponse):
        return await _return_error(request, services, authorization)
    person = await find_signed_in_user(request, services)
    if person is None:
        return redirect_to_sign_in(request, f"{PATH}?{authorization.query}")
    authorization = _within_role(authorization, person)
    if not authorization.scopes:
        return await _return_error(request, services, _refusal(authorization, services.base_url))
    proposed = tuple(scope for scope in authorization.scopes if scope in PROPOSED)
    return _consent_page(person, authorization, ConsentForm(proposed, str(DEFAULT_DAILY_RECIPIENTS), ""), {})


@router.post("/authorize")
async def decide(request: Request, services: InjectedServices, posted: InjectedForm, caller: CurrentCaller) -> Response:
    """Redirects to the app with the decision; shows the page again if the form has errors."""
    authorization = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(authorization, AuthorizationResponse):
        return await _return_error(request, services, authorization)
    if posted.form.get("decision") != "allow":
        description = "The signed-in user denied access."
        return _redirect(authorization.answer(services.base_url, error="access_denied", error_description=description))
    authorization, form = _within_role(authorization, posted.person), posted.form
    if not authorization.scopes:
        return await _return_error(request, services, _refusal(authorization, services.base_url))
    chosen = tuple(scope for scope in authorization.scopes if scope.value in form.getlist("scope"))
    entered = ConsentForm(chosen, form.get("per_day", "").strip(), form.get("domains", "").strip())
    problems = _problems(entered)
    if problems:
        return _consent_page(posted.person, authorization, entered, problems)
    code, approval = approve(authorization, caller, chosen, entered.budget)
    await services.grants.approve(approval, approval.approved_at - REMEMBERED_FOR)
    return _redirect(authorization.answer(services.base_url, code=code))


def _within_role(authorization: AuthorizationRequest, person: SignedInUser) -> AuthorizationRequest:
    """Returns the request with only those of its scopes that the role of the user has."""
    return replace(authorization, scopes=tuple(scope for scope in authorization.scopes if person.may(scope)))


def _refusal(authorization: AuthorizationRequest, issuer: str) -> AuthorizationResponse:
    description = "The role of the signed-in user permits none of the requested scopes."
    return authorization.answer(issuer, error="access_denied", error_description=description)


def _consent_page(
    person: SignedInUser, authorization: AuthorizationRequest, entered: ConsentForm, problems: Mapping[str, str]
) -> Response:
    target = urlsplit(authorization.redirect_uri)
    page = render(
        "app/consent.html",
        person=person,
        authorization=authorization,
        host=_host(target),
        is_own_machine=_is_local(target),
        here=f"{PATH}?{authorization.query}",
        entered=entered,
        problems=problems,
        has_budget=Scope.WRITE_SESSIONS in authorization.scopes,
    )
    page.headers["Content-Security-Policy"] = policy_with_form_target(redirects.origin_of(authorization.redirect_uri))
    return page


def _is_local(target: SplitResult) -> bool:
    """Returns whether the address leads to a program on the user's own machine."""
    return redirects.is_own_machine(target) or redirects.is_private(target)


def _host(target: SplitResult) -> str:
    """Returns what names the program in its address: the scheme that it owns, or the host."""
    if redirects.is_private(target):
        return f"{target.scheme}:"
    return (target.hostname or "") if redirects.is_own_machine(target) else target.netloc


def _problems(entered: ConsentForm) -> dict[str, str]:
    """Returns the errors in the form, by the name of the input."""
    problems: dict[str, str] = {}
    if not entered.scopes:
        problems["scope"] = APP.scopes_missing
    return {**problems, **find_limit_problems(entered.per_day, entered.domains)} if entered.mails else problems


async def _return_error(request: Request, services: Services, answer: AuthorizationResponse) -> Response:
    """Returns the error to the app that made the request.

    Anyone can register an app, so the redirect to a website is automatic only for an app with access to the
    organisation of the signed-in user. Other visitors see a page with the link. A program on the user's own machine
    waits for the redirect.
    """
    target = urlsplit(answer.address)
    if _is_local(target):
        return _redirect(answer)
    person = await find_signed_in_user(request, services)
    if person is not None:
        grants = await services.grants.list(person.organisation_id, datetime.now(UTC))
        if any(grant.application_id == answer.application_id for grant in grants):
            return _redirect(answer)
    return render(
        "app/consent-error.html",
        HTTPStatus.BAD_REQUEST,
        person=None,
        error=dict(answer.parameters).get("error_description") or dict(answer.parameters)["error"],
        location=answer.location,
        host=_host(target),
    )


def _redirect(answer: AuthorizationResponse) -> Response:
    return RedirectResponse(answer.location, HTTPStatus.SEE_OTHER)

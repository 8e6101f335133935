"""A program asks for leave to work for an organisation, and a person of it decides (Specification 5.4, RFC 6749).

Looking changes nothing. The whole question is in the address of the page and of its form, and is read anew when the
form comes back: what is decided is what was shown.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlsplit

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
from domain.shared.sending_limits import LARGEST, UNLIMITED, Budget, NoDomain, domains_in
from web.app.current_user import Person, Posted, find_person
from web.app.rendering import show, texts_of, to_sign_in
from web.security_headers import policy_with_answer_to

PATH = "/app/authorize"
RECIPIENTS_A_DAY = 20
"""What the page proposes: enough for a day's work at a desk, and not for a campaign."""


class Entered(NamedTuple):
    """What the form says."""

    scopes: tuple[Scope, ...]
    per_day: str
    domains: str

    @property
    def mails(self) -> bool:
        return Scope.WRITE_SESSIONS in self.scopes

    @property
    def budget(self) -> Budget:
        if not self.mails:
            return UNLIMITED
        number = int(self.per_day) if self.per_day else None
        return Budget(recipients_per_day=number, domains=domains_in(self.domains))


async def show_consent(request: Request, services: Services) -> Response:
    """The question, for whoever is signed in; otherwise the way to sign in and back.

    Raises:
        NotAskable: it comes from no program that has registered.
    """
    asked = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(asked, AuthorizationResponse):
        return await _lead_back(request, services, asked)
    person = await find_person(request, services)
    if person is None:
        return to_sign_in(request, f"{PATH}?{asked.query}")
    proposed = tuple(scope for scope in asked.scopes if scope in PROPOSED)
    return _question(request, person, asked, Entered(proposed, str(RECIPIENTS_A_DAY), ""), {})


async def decide(request: Request, services: Services, posted: Posted) -> Response:
    """Leads back to the program with what was decided; a form with a mistake comes again. Raises `NotAskable`."""
    asked = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(asked, AuthorizationResponse):
        return await _lead_back(request, services, asked)
    if posted.form.get("decision") != "allow":
        description = "The person who was asked did not allow it."
        return _to(asked.answer(services.base_url, error="access_denied", error_description=description))
    form = posted.form
    chosen = tuple(scope for scope in asked.scopes if scope.value in form.all("scope"))
    entered = Entered(chosen, form.get("per_day", "").strip(), form.get("domains", "").strip())
    problems = _problems(request, entered)
    if problems:
        return _question(request, posted.person, asked, entered, problems)
    at = datetime.now(UTC)
    code, approval = approve(asked, posted.person.user, chosen, entered.budget, at)
    await services.grants.approve(approval, at - REMEMBERED_FOR)
    return _to(asked.answer(services.base_url, code=code))


def _question(
    request: Request, person: Person, asked: AuthorizationRequest, entered: Entered, problems: Mapping[str, str]
) -> Response:
    place = urlsplit(asked.redirect_uri)
    page = show(
        request,
        person,
        "consent.html",
        asked=asked,
        host=place.hostname if redirects.is_own_machine(place) else place.netloc,
        is_own_machine=redirects.is_own_machine(place),
        here=f"{PATH}?{asked.query}",
        entered=entered,
        problems=problems,
        has_budget=Scope.WRITE_SESSIONS in asked.scopes,
    )
    page.headers["Content-Security-Policy"] = policy_with_answer_to(redirects.origin_of(asked.redirect_uri))
    return page


def _problems(request: Request, entered: Entered) -> dict[str, str]:
    """What is wrong with the form, by input."""
    texts, found = texts_of(request), {}
    if not entered.scopes:
        found["scope"] = texts.scopes_missing
    if not entered.mails:
        return found
    number = entered.per_day
    if number and not (re.fullmatch("[0-9]{1,6}", number) and int(number) <= LARGEST):
        found["per_day"] = texts.per_day_wrong
    try:
        domains_in(entered.domains)
    except NoDomain as error:
        found["domains"] = texts.domains_wrong.format(domain=error.text)
    return found


async def _lead_back(request: Request, services: Services, answer: AuthorizationResponse) -> Response:
    """Tells the program what is wrong with its question.

    A program may be anybody's. It is told at once if it works for the organisation of the person who is signed in;
    everybody else is shown where the link leads, and chooses.
    """
    person = await find_person(request, services)
    if person is not None:
        grants = await services.grants.list(person.organisation_id, datetime.now(UTC))
        if any(grant.application_id == answer.application_id for grant in grants):
            return _to(answer)
    return show(
        request,
        None,
        "consent-wrong.html",
        HTTPStatus.BAD_REQUEST,
        error=dict(answer.parameters).get("error_description") or dict(answer.parameters)["error"],
        location=answer.location,
        host=urlsplit(answer.address).netloc,
    )


def _to(answer: AuthorizationResponse) -> Response:
    return RedirectResponse(answer.location, HTTPStatus.SEE_OTHER)

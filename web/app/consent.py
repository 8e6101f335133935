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
from application.oauth.authorization import REMEMBERED_FOR, Answer, Asked, approve, read_request
from application.scopes import PROPOSED, Scope
from application.services import Services
from domain.shared.sending_limits import MAX_RECIPIENTS, UNLIMITED, InvalidDomain, SendingLimit, parse_domains
from web.app.current_user import SignedInUser, UserForm, find_signed_in_user
from web.app.rendering import redirect_to_sign_in, show, texts_of
from web.security_headers import policy_with_form_target

PATH = "/app/authorize"
DEFAULT_DAILY_RECIPIENTS = 20
"""What the page proposes: enough for a day's work at a desk, and not for a campaign."""


class ConsentForm(NamedTuple):
    """What the form says."""

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
        number = int(self.per_day) if self.per_day else None
        return SendingLimit(recipients_per_day=number, domains=parse_domains(self.domains))


async def show_consent(request: Request, services: Services) -> Response:
    """The question, for whoever is signed in; otherwise the way to sign in and back.

    Raises:
        NotAskable: it comes from no program that has registered.
    """
    authorization = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(authorization, Answer):
        return await _return_error(request, services, authorization)
    person = await find_signed_in_user(request, services)
    if person is None:
        return redirect_to_sign_in(request, f"{PATH}?{authorization.query}")
    proposed = tuple(scope for scope in authorization.scopes if scope in PROPOSED)
    return _consent_page(request, person, authorization, ConsentForm(proposed, str(DEFAULT_DAILY_RECIPIENTS), ""), {})


async def decide(request: Request, services: Services, posted: UserForm) -> Response:
    """Leads back to the program with what was decided; a form with a mistake comes again. Raises `NotAskable`."""
    authorization = await read_request(services.grants, request.url.query, services.base_url)
    if isinstance(authorization, Answer):
        return await _return_error(request, services, authorization)
    if posted.form.get("decision") != "allow":
        description = "The person who was authorization did not allow it."
        return _redirect(authorization.answer(services.base_url, error="access_denied", error_description=description))
    form = posted.form
    chosen = tuple(scope for scope in authorization.scopes if scope.value in form.all("scope"))
    entered = ConsentForm(chosen, form.get("per_day", "").strip(), form.get("domains", "").strip())
    problems = _problems(request, entered)
    if problems:
        return _consent_page(request, posted.person, authorization, entered, problems)
    at = datetime.now(UTC)
    code, approval = approve(authorization, posted.person.user, chosen, entered.budget, at)
    await services.grants.approve(approval, at - REMEMBERED_FOR)
    return _redirect(authorization.answer(services.base_url, code=code))


def _consent_page(
    request: Request, person: SignedInUser, authorization: Asked, entered: ConsentForm, problems: Mapping[str, str]
) -> Response:
    target = urlsplit(authorization.redirect_uri)
    page = show(
        request,
        person,
        "consent.html",
        authorization=authorization,
        host=target.hostname if redirects.is_own_machine(target) else target.netloc,
        is_own_machine=redirects.is_own_machine(target),
        here=f"{PATH}?{authorization.query}",
        entered=entered,
        problems=problems,
        has_budget=Scope.WRITE_SESSIONS in authorization.scopes,
    )
    page.headers["Content-Security-Policy"] = policy_with_form_target(redirects.origin_of(authorization.redirect_uri))
    return page


def _problems(request: Request, entered: ConsentForm) -> dict[str, str]:
    """What is wrong with the form, by input."""
    texts, found = texts_of(request), {}
    if not entered.scopes:
        found["scope"] = texts.scopes_missing
    if not entered.mails:
        return found
    number = entered.per_day
    if number and not (re.fullmatch("[0-9]{1,6}", number) and int(number) <= MAX_RECIPIENTS):
        found["per_day"] = texts.per_day_wrong
    try:
        parse_domains(entered.domains)
    except InvalidDomain as error:
        found["domains"] = texts.domains_wrong.format(domain=error.text)
    return found


async def _return_error(request: Request, services: Services, answer: Answer) -> Response:
    """Tells the program what is wrong with its question.

    A program may be anybody's. It is told at once if it works for the organisation of the person who is signed in;
    everybody else is shown where the link leads, and chooses.
    """
    person = await find_signed_in_user(request, services)
    if person is not None:
        grants = await services.grants.list(person.organisation_id, datetime.now(UTC))
        if any(grant.application_id == answer.application_id for grant in grants):
            return _redirect(answer)
    return show(
        request,
        None,
        "consent-error.html",
        HTTPStatus.BAD_REQUEST,
        error=dict(answer.parameters).get("error_description") or dict(answer.parameters)["error"],
        location=answer.location,
        host=urlsplit(answer.address).netloc,
    )


def _redirect(answer: Answer) -> Response:
    return RedirectResponse(answer.location, HTTPStatus.SEE_OTHER)

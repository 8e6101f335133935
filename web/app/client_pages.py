"""The API clients of the organisation: the list, a page for each, and the page that shows a new secret once."""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import Depends, Request, Response

from application.administration.api_clients import (
    ClientAdministration,
    ClientExists,
    ClientNotFound,
    ClientUnchangeable,
    Credentials,
    find_client,
)
from application.read_entries import MAX_NAME, read_line
from application.scopes import DEFAULT_SCOPES, Scope
from application.services import Services
from domain.ports.database import ClientCredentials
from domain.shared.sending_limit import MAX_RECIPIENTS_PER_DAY, InvalidDomain, SendingLimit, parse_domains
from web.app.app_router import RECENT_SIGN_IN, FormEntries, administration_router
from web.app.current_user import CurrentAudit, CurrentUser, InjectedForm, SignedInUser
from web.app.responses import NO_PROBLEMS, flash_message_of, perform, redirect_with_flash, render_form, shown_once
from web.asgi.dependencies import InjectedServices
from web.errors import OUTAGES, PageNotFound
from web.forms import PostedForm
from web.html_response import render
from web.page_route import READ
from web.texts import APP


def find_limit_problems(per_day: str, domains: str) -> dict[str, str]:
    """Returns the message for each invalid input, by its name."""
    problems: dict[str, str] = {}
    if per_day and not (re.fullmatch("[0-9]{1,6}", per_day) and int(per_day) <= MAX_RECIPIENTS_PER_DAY):
        problems["per_day"] = APP.per_day_wrong
    try:
        parse_domains(domains)
    except InvalidDomain as error:
        problems["domains"] = APP.domains_wrong.format(domain=error.text)
    return problems


def parse_limit(per_day: str, domains: str) -> SendingLimit:
    """Returns the sending limit of valid inputs. An empty input means no limit."""
    return SendingLimit(recipients_per_day=int(per_day) if per_day else None, domains=parse_domains(domains))


router = administration_router("/clients")

_HERE = "/app/organisation/clients"


async def get_client(services: InjectedServices, person: CurrentUser, client_id: str) -> ClientCredentials:
    """Returns the client or the connected app of the organisation. Raises `PageNotFound`."""
    try:
        return await find_client(services.organisations, client_id, person.organisation_id)
    except ClientNotFound as error:
        raise PageNotFound from error


OwnClient = Annotated[ClientCredentials, Depends(get_client)]


async def get_administration(services: InjectedServices, audit: CurrentAudit) -> ClientAdministration:
    return ClientAdministration(services.organisations, services.acts, audit)


Administration = Annotated[ClientAdministration, Depends(get_administration)]


@router.api_route("", methods=READ)
async def show_clients(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    clients = [one for one in await services.organisations.list_clients(person.organisation_id) if one.secret_sha256]
    return render("app/clients.html", person=person, clients=clients, flash=flash_message_of(request))


@router.api_route("/new", methods=READ)
async def show_new_client(person: CurrentUser) -> Response:
    return _new_page(person, {}, DEFAULT_SCOPES, {})


@router.post("/new", dependencies=[RECENT_SIGN_IN])
async def create(services: InjectedServices, posted: InjectedForm, clients: Administration) -> Response:
    """Creates the client and shows its secret. A form that is posted twice redirects to the existing client."""
    person, entries = posted.person, FormEntries(posted.form)
    name, scopes = entries.read("name", partial(read_line, most=MAX_NAME)), _read_scopes(entries)
    if name is None or entries.problems:
        return _new_page(person, posted.form, scopes, entries.problems)
    client_id = posted.attempt.client_id
    try:
        credentials = await clients.add(person.organisation_id, name, scopes, client_id)
    except ClientExists:
        return redirect_with_flash(f"{_HERE}/{client_id}", error="client-exists")
    except OUTAGES:
        return redirect_with_flash(_HERE, error="unavailable")
    return _secret_page(services, person, name, credentials)


def _read_scopes(entries: FormEntries) -> tuple[Scope, ...]:
    ticked = entries.form.getlist("scope")
    scopes = tuple(scope for scope in Scope if scope.value in ticked)
    if not scopes:
        entries.problems["scope"] = APP.client_scopes_missing
    return scopes


def _new_page(
    person: SignedInUser, values: Mapping[str, str], ticked: Collection[str], problems: Mapping[str, str]
) -> Response:
    return render_form("app/client-new.html", problems, person=person, values=values, ticked=ticked, scopes=Scope)


def _secret_page(services: Services, person: SignedInUser, name: str, credentials: Credentials) -> Response:
    """Shows the secret. It cannot be shown again: no page may be cached, and only its hash is stored."""
    return render(
        "app/client-secret.html", person=person, name=name, credentials=credentials, base_url=services.base_url
    )


@router.api_route("/{client_id}", methods=READ)
async def show_client(request: Request, services: InjectedServices, person: CurrentUser, client: OwnClient) -> Response:
    return await _client_page(services, person, client, flash=flash_message_of(request))


@router.post("/{client_id}/scopes", dependencies=[RECENT_SIGN_IN])
async def save_scopes(
    services: InjectedServices, posted: InjectedForm, client: OwnClient, clients: Administration
) -> Response:
    entries = FormEntries(posted.form)
    scopes = _read_scopes(entries)
    if entries.problems:
        return await _client_page(services, posted.person, client, ticked=(), problems=entries.problems)
    return await perform(clients.replace_scopes(client, scopes), _page_of(client), "client-scopes")


@router.post("/{client_id}/limit")
async def save_limit(
    services: InjectedServices, posted: InjectedForm, client: OwnClient, clients: Administration
) -> Response:
    per_day, domains = _limit_inputs(posted.form)
    problems = find_limit_problems(per_day, domains)
    if problems:
        entered = {"per_day": per_day, "domains": domains}
        return await _client_page(services, posted.person, client, limit=entered, problems=problems)
    setting = clients.set_limit(services.budgets, client, parse_limit(per_day, domains))
    return await perform(setting, _page_of(client), "client-limit")


def _limit_inputs(form: PostedForm) -> tuple[str, str]:
    return form.get("per_day", "").strip(), form.get("domains", "").strip()


@router.post("/{client_id}/rotate", dependencies=[RECENT_SIGN_IN])
async def rotate(
    services: InjectedServices, posted: InjectedForm, client: OwnClient, clients: Administration
) -> Response:
    """Replaces the secret, and shows the new one. Ends the tokens too, if the form says so."""
    try:
        credentials = await clients.rotate_secret(client, ends_tokens="end_tokens" in posted.form)
    except ClientUnchangeable:
        return redirect_with_flash(_page_of(client), error="client-unchangeable")
    except OUTAGES:
        return redirect_with_flash(_page_of(client), error="unavailable")
    page = _secret_page(services, posted.person, client.name, credentials)
    return shown_once(page, f"{_page_of(client)}?error=secret-replaced")


@router.post("/{client_id}/revoke")
async def revoke(_: InjectedForm, client: OwnClient, clients: Administration) -> Response:
    return await perform(clients.revoke(client), _page_of(client), "client-revoked")


async def _client_page(
    services: Services,
    person: SignedInUser,
    client: ClientCredentials,
    problems: Mapping[str, str] = NO_PROBLEMS,
    **context: object,
) -> Response:
    limit = await services.budgets.find(client.client_id)
    users = await services.users.list(person.organisation_id)
    entered = {
        "per_day": "" if limit is None or limit.recipients_per_day is None else str(limit.recipients_per_day),
        "domains": ", ".join(limit.domains) if limit else "",
    }
    return render_form(
        "app/client.html",
        problems,
        **{"flash": None, "ticked": client.scopes, "limit": entered, **context},
        person=person,
        client=client,
        scopes=Scope,
        creator=next((user.name for user in users if user.user_id == client.created_by), None),
        used_today=await services.budgets.count_charged(client.client_id, datetime.now(UTC).date()),
    )


def _page_of(client: ClientCredentials) -> str:
    return f"{_HERE}/{client.client_id}"

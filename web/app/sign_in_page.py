"""Sign-in: the user enters an email address, gets a link by email, and presses the button on its page.

The response is sent before the address is looked up, so it does not reveal which addresses have an account. If the
operator has an OpenID provider, the page has a button for it too (`web.app.provider_sign_in`).
"""

import asyncio
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import urlencode

import structlog
from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from starlette.background import BackgroundTask

from application.mails.render_mail import PRODUCT, MailEnvelope, make_mail
from application.read_entries import is_email_like
from application.services import Services
from domain.ports.database import DatabaseUnavailable
from domain.ports.mail import MailNotSent, MailRejected
from domain.ports.sender_identity import NO_IDENTITY, SenderIdentity
from domain.ports.sign_ins import KNOWN_BROWSER, LinkLimits, Member, SignInLink
from domain.shared.object_names import digest
from web.app.app_cookies import cookie_name, set_cookie
from web.app.app_router import open_router
from web.app.choose_organisation import choice_page, chosen_member, decline, enter
from web.app.current_user import InjectedForm
from web.app.known_browser import find_known_browser
from web.app.responses import flash_message_of, redirect_with_flash
from web.app.sign_in_cookie import SIGN_IN_LIFETIME
from web.asgi.dependencies import InjectedServices
from web.asgi.rate_limits import count_sign_in, counted_networks
from web.errors import SignInLinkUsed
from web.forms import read_form
from web.html_response import render
from web.mail_outbox import outbox_directory
from web.page_route import READ, OwnPagesOnly
from web.texts import APP

LINK_LIFETIME = timedelta(minutes=15)
RETRY_DELAYS = (2.0, 10.0)
"""Seconds between attempts at sending. Users request a new link after about a minute."""

HOME = "/app"
_OUR_PATH = re.compile(r"/app(/[A-Za-z0-9_-]+)*(\?[A-Za-z0-9_.~%&=+@,:-]*)?", re.ASCII)
_MAX_PATH = 4_000  # an authorization request is long

router = open_router()

log = structlog.get_logger(__name__)


def safe_return_path(path: str) -> str:
    """Returns `path` if it is a path of the app, otherwise that of its first page. This prevents open redirects."""
    return path if len(path) <= _MAX_PATH and _OUR_PATH.fullmatch(path) else HOME


@router.api_route("/sign-in", methods=READ)
async def show_sign_in(request: Request, services: InjectedServices) -> Response:
    return_to = safe_return_path(request.query_params.get("to", HOME))
    keys = {"out": "signed_out_now", "again": "sign_in_again"}
    named = next((key for name, key in keys.items() if name in request.query_params), "")
    message_key = named or ("sign_in_needed" if return_to != HOME else "")
    return sign_in_form(services, return_to=return_to, message_key=message_key, flash=flash_message_of(request))


def sign_in_form(
    services: Services, status: HTTPStatus = HTTPStatus.OK, *, return_to: str, **context: object
) -> Response:
    """Returns the page.

    `context`: an `email` and its `problem`, the key of a message in `APP`, a `refusal`, or the result of an action.
    """
    provider = services.sign_in_provider
    shown = {"problem": "", "email": "", "message_key": "", "refusal": "", "flash": None, **context}
    name = provider.name if provider else ""
    shown["takes_email"] = not _is_provider_only(services)
    return render("app/sign-in.html", status, person=None, provider=name, return_to=return_to, **shown)


def _is_provider_only(services: Services) -> bool:
    """Returns whether links by email open nothing, because users sign in by the provider alone."""
    return services.sign_in_provider is not None and services.sign_in_provider.is_only_way


@router.post("/sign-in", dependencies=[OwnPagesOnly])
async def request_link(request: Request, services: InjectedServices) -> Response:
    """Responds at once, then emails a link if a user has that address; raises `RateLimited`."""
    form = await read_form(request)
    if _is_provider_only(services):
        return sign_in_form(services, HTTPStatus.FORBIDDEN, return_to=safe_return_path(form.get("to", HOME)))
    email, return_to = form.get("email", "").strip().lower(), safe_return_path(form.get("to", HOME))
    if not is_email_like(email):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return sign_in_form(services, status, return_to=return_to, problem=APP.email_missing, email=email)
    browser = find_known_browser(request, services, email)
    await count_sign_in(request, digest(email.encode()), browser)
    network = digest(tuple(counted_networks(request))[-1].encode())
    requested_from = f"{KNOWN_BROWSER}{browser}" if browser else f"network {network}"
    has_outbox = outbox_directory(request, services) is not None
    page = render("app/link-sent.html", person=None, email=email, return_to=return_to, has_outbox=has_outbox)
    secret = secrets.token_urlsafe(32)
    set_cookie(page, services, _request_cookie_name(services.base_url), digest(secret.encode()), LINK_LIFETIME)
    page.background = BackgroundTask(send_link, services, email, secret, (return_to, requested_from))
    return page


def _request_cookie_name(base_url: str) -> str:
    """Returns the name of the cookie of the browser that requested a link. Its value is the hash of the secret."""
    return f"{cookie_name(base_url)}-asked"


async def send_link(services: Services, email: str, secret: str, request: tuple[str, str]) -> None:
    """Emails a link with `secret` to `email`, if a user has that address.

    `request` holds the page that the user wanted, and from where the link was requested.
    """
    at, (return_to, requested_from) = datetime.now(UTC), request
    try:
        people = await services.sign_ins.list_members(email)
        if not people:
            log.info("no sign-in link was sent: no user who is not disabled has the address")
            return
        generations = {str(member.user.user_id): member.standing.generation for member in people}
        link = SignInLink(digest(secret.encode()), email, return_to, at + LINK_LIFETIME, generations, requested_from)
        if not await services.sign_ins.store_link(link, at, LinkLimits()):
            log.warning("no sign-in link was sent: the address has too many unused links")
            return
    except DatabaseUnavailable:
        log.warning("no sign-in link was sent: the database does not answer")
        return
    await _send(services, people, f"{services.base_url}/app/sign-in/{secret}", at)


async def _send(services: Services, people: Sequence[Member], address: str, at: datetime) -> None:
    minutes = str(LINK_LIFETIME // timedelta(minutes=1))
    member = people[0]
    organisation, identity = PRODUCT, NO_IDENTITY
    if len(people) == 1 and not member.user.is_pending:
        organisation = member.organisation.name
        identity = await _identity(services, member)
    facts = {"name": member.user.name, "organisation": organisation, "minutes": minutes, "address": address}
    message_id = f"sign-in.{digest(address.encode())[:32]}@undersign"
    envelope = MailEnvelope(message_id, member.user.name, member.user.email, organisation, at, identity=identity)
    for wait in (*RETRY_DELAYS, None):
        try:
            await services.mailer.send(make_mail("sign-in", facts, envelope))
        except MailNotSent as error:
            log.warning("a sign-in link was not sent", reason=str(error), again_in=wait)
            if wait is not None:
                await asyncio.sleep(wait)
        except MailRejected as error:
            log.warning("a sign-in link was refused", reason=str(error))
            return
        else:
            return


async def _identity(services: Services, member: Member) -> SenderIdentity:
    """Returns the identity of the member's organisation; `NO_IDENTITY` if the database is unavailable."""
    try:
        return await services.identities.find(member.organisation.organisation_id)
    except DatabaseUnavailable:
        return NO_IDENTITY


@router.api_route("/sign-in/{secret}", methods=READ)
async def show_link(request: Request, services: InjectedServices, secret: str) -> Response:
    """Shows a button for each organisation of the user. Changes nothing, because mail scanners open links too.

    Where the provider is the only way, the link of an invitation leads to it.
    """
    if _is_provider_only(services):
        return RedirectResponse("/app/sign-in", HTTPStatus.SEE_OTHER)
    _, people = await _find_people(services, secret)
    members = [member for member in people if not member.user.is_pending]
    lead = APP.enter_body if len(members) == 1 else APP.enter_choice
    return choice_page(request, people, f"/app/sign-in/{secret}", lead)


async def _find_people(services: Services, secret: str) -> tuple[SignInLink, Sequence[Member]]:
    """Returns the link, and the users for whom it is valid. Raises `SignInLinkUsed`."""
    link = await services.sign_ins.find_link(digest(secret.encode()), datetime.now(UTC))
    found = await services.sign_ins.list_members(link.email) if link else ()
    people = [member for member in found if link is not None and link.is_for(member)]
    if link is None or not people:
        log.info("a sign-in link was refused: it was used, has expired, or was ended")
        raise SignInLinkUsed
    return link, people


@router.post("/sign-in/{secret}", dependencies=[OwnPagesOnly])
async def sign_in(request: Request, services: InjectedServices, secret: str) -> Response:
    """Signs the user in. Only the browser that requested the link is redirected to the page that the user wanted."""
    if _is_provider_only(services):
        raise SignInLinkUsed
    form, at = await read_form(request), datetime.now(UTC)
    secret_sha256 = digest(secret.encode())
    link, people = await _find_people(services, secret)
    if await decline(request, services, people, form):
        is_last = len(people) == 1
        return redirect_with_flash("/app/sign-in" if is_last else f"/app/sign-in/{secret}", done="invitation-declined")
    chosen = chosen_member(people, form)
    if chosen is None or await services.sign_ins.consume_link(secret_sha256, at) is None:
        raise SignInLinkUsed
    is_same_browser = secrets.compare_digest(
        request.cookies.get(_request_cookie_name(services.base_url), "").encode(), secret_sha256.encode()
    )
    return_to = safe_return_path(link.goes_to) if is_same_browser else HOME
    return await enter(request, services, chosen, return_to, by="email link")


@router.post("/sign-out")
async def sign_out(services: InjectedServices, posted: InjectedForm) -> Response:
    """Signs the user out. `to` in the form is the page to show after the next sign-in."""
    await services.sign_ins.end(posted.person.secret_sha256)
    return_to = safe_return_path(posted.form.get("to", HOME))
    query = {"out": "1"} if return_to == HOME else {"out": "1", "to": return_to}
    response = RedirectResponse(f"/app/sign-in?{urlencode(query)}", HTTPStatus.SEE_OTHER)
    set_cookie(response, services, cookie_name(services.base_url), "", SIGN_IN_LIFETIME)
    # Not cookies: those of signing pages, which this browser may have too, are not of this sign-in.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response

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

from application.administration.read_entries import is_email_like
from application.mails.render_mail import MailEnvelope, make_mail
from application.services import Services
from asgi.dependencies import InjectedServices
from asgi.rate_limits import count_sign_in
from domain.shared.object_names import digest
from ports.database import DatabaseUnavailable
from ports.mail import MailNotSent, MailRejected
from ports.sender_identity import NO_IDENTITY, SenderIdentity
from ports.sign_ins import MAX_OPEN_LINKS, Member, SignInLink
from web.app.app_router import open_router
from web.app.current_user import InjectedForm
from web.app.sign_in_cookie import SIGN_IN_LIFETIME, cookie_name, set_cookie, start_sign_in
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
_PRODUCT = "Undersign"  # the sender's name when the user belongs to several organisations
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
    message_key = "signed_out_now" if "out" in request.query_params else "sign_in_needed" if return_to != HOME else ""
    return sign_in_form(services, return_to=return_to, message_key=message_key)


def sign_in_form(services: Services, status: HTTPStatus = HTTPStatus.OK, *, return_to: str, **context: str) -> Response:
    """Returns the page. `context`: an `email` and its `problem`, the key of a message in `APP`, or a `refusal`."""
    provider = services.sign_in_provider
    shown = {"problem": "", "email": "", "message_key": "", "refusal": "", **context}
    name = provider.name if provider else ""
    return render("app/sign-in.html", status, person=None, provider=name, return_to=return_to, **shown)


@router.post("/sign-in", dependencies=[OwnPagesOnly])
async def request_link(request: Request, services: InjectedServices) -> Response:
    """Responds at once, then emails a link if a user has that address; raises `RateLimited`."""
    form = await read_form(request)
    email, return_to = form.get("email", "").strip().lower(), safe_return_path(form.get("to", HOME))
    if not is_email_like(email):
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return sign_in_form(services, status, return_to=return_to, problem=APP.email_missing, email=email)
    await count_sign_in(request, digest(email.encode()))
    has_outbox = outbox_directory(request, services) is not None
    page = render("app/link-sent.html", person=None, email=email, return_to=return_to, has_outbox=has_outbox)
    secret = secrets.token_urlsafe(32)
    set_cookie(page, services, _request_cookie_name(services.base_url), digest(secret.encode()), LINK_LIFETIME)
    page.background = BackgroundTask(send_link, services, email, return_to, secret)
    return page


def _request_cookie_name(base_url: str) -> str:
    """Returns the name of the cookie of the browser that requested a link. Its value is the hash of the secret."""
    return f"{cookie_name(base_url)}-asked"


async def send_link(services: Services, email: str, return_to: str, secret: str) -> None:
    """Emails a link with `secret` to `email`, if a user has that address."""
    at = datetime.now(UTC)
    try:
        people = await services.sign_ins.list_members(email)
        if not people:
            return
        link = SignInLink(digest(secret.encode()), email, return_to, at + LINK_LIFETIME)
        if not await services.sign_ins.store_link(link, at, MAX_OPEN_LINKS):
            log.warning("no sign-in link was sent: the address has too many unused links")
            return
    except DatabaseUnavailable:
        log.warning("no sign-in link was sent: the database does not answer")
        return
    await _send(services, people, f"{services.base_url}/app/sign-in/{secret}", at)


async def _send(services: Services, people: Sequence[Member], address: str, at: datetime) -> None:
    minutes = str(LINK_LIFETIME // timedelta(minutes=1))
    member = people[0]
    organisation, identity = _PRODUCT, NO_IDENTITY
    if len(people) == 1:
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
async def show_link(services: InjectedServices, secret: str) -> Response:
    """Shows a button for each organisation of the user. Changes nothing, because mail scanners open links too."""
    link = await services.sign_ins.find_link(digest(secret.encode()), datetime.now(UTC))
    people = await services.sign_ins.list_members(link.email) if link else ()
    if not people:
        raise SignInLinkUsed
    lead = APP.enter_body if len(people) == 1 else APP.enter_choice
    return render(
        "app/choose-organisation.html", person=None, people=people, action=f"/app/sign-in/{secret}", lead=lead
    )


@router.post("/sign-in/{secret}", dependencies=[OwnPagesOnly])
async def sign_in(request: Request, services: InjectedServices, secret: str) -> Response:
    """Signs the user in. Only the browser that requested the link is redirected to the page that the user wanted."""
    form, at = await read_form(request), datetime.now(UTC)
    secret_sha256 = digest(secret.encode())
    link = await services.sign_ins.find_link(secret_sha256, at)
    people = await services.sign_ins.list_members(link.email) if link else ()
    chosen = next((member for member in people if member.user.user_id == form.get("user")), None)
    if chosen is None or await services.sign_ins.consume_link(secret_sha256, at) is None:
        raise SignInLinkUsed
    is_same_browser = secrets.compare_digest(
        request.cookies.get(_request_cookie_name(services.base_url), "").encode(), secret_sha256.encode()
    )
    return_to = safe_return_path(link.goes_to) if link and is_same_browser else HOME
    return await start_sign_in(services, chosen.user, return_to, by="email link")


@router.post("/sign-out")
async def sign_out(services: InjectedServices, posted: InjectedForm) -> Response:
    """Signs the user out. `to` in the form is the page to show after the next sign-in."""
    await services.sign_ins.end(posted.person.secret_sha256)
    return_to = safe_return_path(posted.form.get("to", HOME))
    query = {"out": "1"} if return_to == HOME else {"out": "1", "to": return_to}
    response = RedirectResponse(f"/app/sign-in?{urlencode(query)}", HTTPStatus.SEE_OTHER)
    set_cookie(response, services, cookie_name(services.base_url), "", SIGN_IN_LIFETIME)
    return response

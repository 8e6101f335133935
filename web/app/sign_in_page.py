"""The way in: an address is asked for, a link goes there by mail, and its button signs in.

Whether an address is known is nobody's to learn: the answer is given before it is looked up.
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

from application.mails.builder import Envelope, make_mail
from application.services import Services
from asgi.rate_limits import count_sign_in
from domain.shared.object_names import digest
from ports.database import DatabaseUnavailable
from ports.mail import Logo, MailNotSent, MailRejected
from ports.sign_ins import Member, SignIn, SignInLink
from web.app.current_user import Posted, cookie_name
from web.app.errors import SignInLinkUsed
from web.app.rendering import show, texts_of
from web.form_bodies import read_form
from web.outbox import outbox_for

LINK_LIFETIME = timedelta(minutes=15)
SIGN_IN_LIFETIME = timedelta(hours=12)
"""A working day, and a lost laptop is no open door tomorrow."""

LINKS_AT_ONCE = 5
"""Links of one address that are neither used nor over: more would only fill somebody's mailbox."""

RETRY_AFTER = (2.0, 10.0)
"""Seconds between tries at sending: who waits for the mail does so for a minute at most, and then asks again."""

HOME = "/app"
_PRODUCT = "Undersign"  # in whose name a link leaves that opens several organisations
_OUR_PATH = re.compile(r"/app(/[A-Za-z0-9_-]+)*(\?[A-Za-z0-9_.~%&=+@,:-]*)?", re.ASCII)
_MAX_PATH = 4_000  # the question of a program, with all that it has to say

log = structlog.get_logger(__name__)


def inside(path: str) -> str:
    """`path` if it is an address within the app, otherwise its first page: nobody is led away from here."""
    return path if len(path) <= _MAX_PATH and _OUR_PATH.fullmatch(path) else HOME


def show_entrance(request: Request) -> Response:
    """The form that asks for an address."""
    wanted = inside(request.query_params.get("to", HOME))
    said = "signed_out_now" if "out" in request.query_params else "sign_in_needed" if wanted != HOME else ""
    return _entrance(request, wanted=wanted, said=said)


def _entrance(request: Request, status: HTTPStatus = HTTPStatus.OK, **context: object) -> Response:
    return show(request, None, "sign-in.html", status, **{"problem": "", "email": "", "said": "", **context})


async def ask_for_link(request: Request, services: Services) -> Response:
    """Answers at once, then sends a link to whoever has that address.

    Raises:
        RateLimited: too many were asked for, from this network or for this address.
    """
    form = await read_form(request)
    email, wanted = form.get("email", "").strip().lower(), inside(form.get("to", HOME))
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", email) or len(email) > 254:
        problem = texts_of(request).email_missing
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _entrance(request, status, wanted=wanted, problem=problem, email=email)
    await count_sign_in(request, digest(email.encode()))
    has_outbox = outbox_for(request, services) is not None
    page = show(request, None, "sent.html", email=email, wanted=wanted, has_outbox=has_outbox)
    secret = secrets.token_urlsafe(32)
    _keep(page, services, _asked_name(services.base_url), digest(secret.encode()), LINK_LIFETIME)
    page.background = BackgroundTask(send_link, services, email, wanted, secret)
    return page


def _asked_name(base_url: str) -> str:
    """The cookie of the browser that has asked for a link: the hash of the link's secret, which opens nothing."""
    return f"{cookie_name(base_url)}-asked"


def _keep(response: Response, services: Services, name: str, value: str, lifetime: timedelta) -> None:
    # Lax: addresses in mails and in other programs (`draftUrl`) lead here, and who is signed in is to be known then.
    is_secure = services.base_url.startswith("https:")
    seconds = int(lifetime.total_seconds())
    response.set_cookie(name, value, max_age=seconds, path="/", secure=is_secure, httponly=True, samesite="lax")


async def send_link(services: Services, email: str, wanted: str, secret: str) -> None:
    """Mails a link with `secret` to `email`, if anybody has that address."""
    at = datetime.now(UTC)
    try:
        people = await services.sign_ins.list_members(email)
        if not people:
            return
        link = SignInLink(digest(secret.encode()), email, wanted, at + LINK_LIFETIME)
        if not await services.sign_ins.store_link(link, at, LINKS_AT_ONCE):
            log.warning("no sign-in link was sent: the address has too many that are not used")
            return
    except DatabaseUnavailable:
        log.warning("no sign-in link was sent: the database does not answer")
        return
    await _send(services, people, f"{services.base_url}/app/sign-in/{secret}", at)


async def _send(services: Services, people: Sequence[Member], address: str, at: datetime) -> None:
    minutes = str(LINK_LIFETIME // timedelta(minutes=1))
    member = people[0]
    organisation, logo = _PRODUCT, None
    if len(people) == 1:
        organisation = member.organisation.name
        logo = await _logo(services, member)
    facts = {
        "name": member.user.name,
        "organisation": organisation,
        "minutes": minutes,
        "address": address,
    }
    message_id = f"sign-in.{digest(address.encode())[:32]}@undersign"
    envelope = Envelope(message_id, member.user.name, member.user.email, organisation, at, logo=logo)
    for wait in (*RETRY_AFTER, None):
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


async def _logo(services: Services, member: Member) -> Logo | None:
    """That of the member's organisation; a link that can be had without one does not wait for the database."""
    try:
        return await services.logos.find(member.organisation.organisation_id)
    except DatabaseUnavailable:
        return None


async def show_link(request: Request, services: Services, secret: str) -> Response:
    """One button for each organisation of whoever got the link. No effect whatever: mail scanners come here too.

    Raises:
        SignInLinkUsed: it was used, is over, or never was one.
    """
    link = await services.sign_ins.find_link(digest(secret.encode()), datetime.now(UTC))
    people = await services.sign_ins.list_members(link.email) if link else ()
    if not people:
        raise SignInLinkUsed
    return show(request, None, "enter.html", people=people, secret=secret)


async def enter(request: Request, services: Services, secret: str) -> Response:
    """Signs in, and leads to where one wanted to go; raises `SignInLinkUsed`.

    Another browser than the one that asked for the link is led to the first page: somebody else may have asked.
    """
    form, at = await read_form(request), datetime.now(UTC)
    kept = digest(secret.encode())
    link = await services.sign_ins.find_link(kept, at)
    people = await services.sign_ins.list_members(link.email) if link else ()
    chosen = next((member for member in people if member.user.user_id == form.get("user")), None)
    if chosen is None or await services.sign_ins.consume_link(kept, at) is None:
        raise SignInLinkUsed
    key = secrets.token_urlsafe(32)
    await services.sign_ins.start(SignIn(digest(key.encode()), chosen.user.user_id, at, at + SIGN_IN_LIFETIME))
    has_asked = secrets.compare_digest(request.cookies.get(_asked_name(services.base_url), "").encode(), kept.encode())
    response = RedirectResponse(inside(link.goes_to) if link and has_asked else HOME, HTTPStatus.SEE_OTHER)
    _keep(response, services, cookie_name(services.base_url), key, SIGN_IN_LIFETIME)
    return response


async def leave(services: Services, posted: Posted) -> Response:
    """Signs out: here, and at once. Whoever wanted to go somewhere is led there after signing in again."""
    await services.sign_ins.end(posted.person.secret_sha256)
    wanted = inside(posted.form.get("to", HOME))
    told = {"out": "1"} if wanted == HOME else {"out": "1", "to": wanted}
    response = RedirectResponse(f"/app/sign-in?{urlencode(told)}", HTTPStatus.SEE_OTHER)
    is_secure = services.base_url.startswith("https:")
    response.delete_cookie(cookie_name(services.base_url), path="/", secure=is_secure, httponly=True, samesite="lax")
    return response

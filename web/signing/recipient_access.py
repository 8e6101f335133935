"""Access of recipients: resolves links, and exchanges a link's token for a cookie when the documents are opened.

The cookie contains only the link that was used. Every request checks with the session that the link is still the
recipient's latest, so a newer invitation revokes older cookies at once.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from time import monotonic
from typing import Annotated, NamedTuple

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from itsdangerous import BadData, Signer, URLSafeTimedSerializer

from application.listed_frame_origin import listed_origin
from application.services import Services
from application.sessions.session_reader import SessionReader
from asgi.client_address import audit_context_of
from asgi.dependencies import InjectedReader, InjectedServices
from asgi.rate_limits import counted_networks
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.session.delegation import may_delegate
from domain.session.recipients import Recipient, RecipientStatus, RecipientVerification
from domain.session.session import Session
from domain.session.signing_links import Link, LinkDelegated
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import LinkNotValid, NotYourTurn
from domain.shared.ids import ClientId, OrganisationId, RecipientId, SessionId, is_identifier
from domain.shared.key_lists import SIGNING, oldest_first
from ports.session_requests import RecipientActionRequest
from web.errors import (
    ApprovalDeclined,
    CookieExpired,
    DeclinedByOther,
    DeclinedByViewer,
    FormOutOfDate,
    NotTheirTurn,
    PassedOn,
    SessionArchived,
    SessionExpired,
    VisitExpired,
    Withdrawn,
)
from web.forms import PostedForm, read_form
from web.host_page import NO_HOST, HostPage, set_host
from web.reader_language import address_suffix, prefer_language
from web.signing.signing_url_visit import Tickets

REJECTION_STEP = 0.25
"""In seconds. Invalid links are rejected after a multiple of this time, so that timing reveals nothing."""

LIFETIME = 12 * 3600
"""In seconds: one working day. A lost device has no access by the next morning."""

CSRF = "csrf"
"""The name of the input with the CSRF token. Programs post the forms too: it never changes."""


class RecipientCookie(NamedTuple):
    """The recipient, and the link that they used."""

    link: Link
    recipient_id: RecipientId


class RecipientAccess(NamedTuple):
    """A session and the recipient whose link opens the documents, or the page after signing.

    In a visit that a program opened, `ticket` identifies the visit, and `host` is the host page.
    """

    session: Session
    recipient: Recipient
    ticket: str | None = None
    host: HostPage = NO_HOST

    @property
    def address(self) -> str:
        """The path of the page with the documents."""
        return f"/signing/{self.ticket or self.recipient.recipient_id}{address_suffix()}"

    @property
    def may_delegate(self) -> bool:
        return may_delegate(self.session, self.recipient)

    @property
    def is_signed(self) -> bool:
        """Whether the recipient has signed or approved, or has got their copy."""
        return self.recipient.status is RecipientStatus.COMPLETED

    def asks_for_code(self, copy_days: int, at: datetime) -> bool:
        """Returns whether opening the documents at `at` requires a code.

        Without a code, the link opens the signed copy for `copy_days` after the session is completed. While others have
        not signed, the days count from the recipient's own signature.
        """
        if self.session.recipient_verification is RecipientVerification.EMAIL_CODE:
            return True
        signed_at = self.session.completed_at or self.recipient.completed_at
        return self.is_signed and signed_at is not None and at >= signed_at + timedelta(days=copy_days)


async def resolve_recipient(reader: SessionReader, link: Link) -> RecipientAccess:
    """Returns the session and recipient of `link`. All invalid links get the same response.

    Raises:
        LinkNotValid: no session, or not the recipient's latest link.
        PassedOn: the holder of the link passed their turn on.
        Withdrawn, SessionArchived: the session is archived.
        DeclinedByViewer, ApprovalDeclined, DeclinedByOther, SessionExpired: the session ended before this recipient
            signed or approved.
        NotTheirTurn: other recipients sign first.
    """
    started_at = monotonic()
    try:
        access = RecipientAccess(*await reader.get_by_link(link))
    except LinkDelegated as error:
        prefer_language(error.session.language_of(error.recipient))
        raise PassedOn(error.session, error.delegation.to_name) from error
    except LinkNotValid:
        await asyncio.sleep(until_rejection(monotonic() - started_at))
        raise
    session = access.session
    prefer_language(session.language_of(access.recipient))
    if session.status is SessionStatus.CANCELLED:
        raise (Withdrawn if session.is_open else SessionArchived)(session)
    if not access.is_signed:
        _check_open(access, datetime.now(UTC))
        try:
            session.check_may_act(access.recipient.recipient_id)
        except NotYourTurn as error:
            raise NotTheirTurn(session) from error
    return access


async def prefer_language_of(reader: SessionReader, link: Link) -> None:
    """Sets the language of a page that does not open the documents to that of the recipient or session of `link`."""
    with suppress(LinkNotValid):
        session, recipient = await reader.get_by_link(link)
        prefer_language(session.language_of(recipient))


def until_rejection(passed: float) -> float:
    """Returns the seconds from `passed` seconds to the next multiple of `REJECTION_STEP`."""
    return REJECTION_STEP - passed % REJECTION_STEP


def _check_open(access: RecipientAccess, at: datetime) -> None:
    session, recipient = access.session, access.recipient
    if recipient.status is RecipientStatus.DECLINED:
        raise (ApprovalDeclined if recipient.approves else DeclinedByViewer)(session)
    if session.status is SessionStatus.DECLINED:
        raise DeclinedByOther(session)
    if session.status is SessionStatus.EXPIRED or (session.status in OPEN_FOR_SIGNING and session.has_expired(at)):
        raise SessionExpired(session)


class RecipientCookies:
    """Writes and reads the cookies of recipients, and the CSRF tokens of their forms."""

    def __init__(self, key: bytes, base_url: str) -> None:
        self._secure = base_url.startswith("https:")
        self._serializer = URLSafeTimedSerializer(oldest_first(key), salt="undersign.visit", signer_kwargs=SIGNING)
        self._forms = Signer(oldest_first(key), salt="undersign.form", **SIGNING)

    def remember(self, response: Response, cookie: RecipientCookie) -> None:
        """Sets `cookie`. SameSite is strict: browsers never send it with requests from other sites, links included."""
        response.set_cookie(
            self._cookie_name(cookie.recipient_id),
            str(self._serializer.dumps([*cookie.link, cookie.recipient_id])),
            max_age=LIFETIME,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )

    def read(self, request: Request, recipient_id: str) -> RecipientCookie:
        cookie = request.cookies.get(self._cookie_name(recipient_id), "")
        try:
            organisation, session, link_hash, recipient = self._serializer.loads(cookie, max_age=LIFETIME)
        except BadData as error:
            raise CookieExpired from error
        if recipient != recipient_id:
            raise CookieExpired
        return RecipientCookie(
            Link(OrganisationId(organisation), SessionId(session), link_hash), RecipientId(recipient)
        )

    def form_token(self, cookie: RecipientCookie) -> str:
        """Returns the CSRF token. All cookies of one link have the same token, so forms work in several tabs."""
        return self._forms.get_signature(_named(cookie)).decode()

    def check_form_token(self, cookie: RecipientCookie, token: str) -> None:
        """Raises `FormOutOfDate` unless `token` is the CSRF token of `cookie`."""
        if not self._forms.verify_signature(_named(cookie), token):
            raise FormOutOfDate

    def _cookie_name(self, recipient_id: str) -> str:
        # Browsers accept the prefix `__Host-` only with Secure, and Secure only over https.
        prefix = "__Host-" if self._secure else ""
        return f"{prefix}undersign-{recipient_id.replace('-', '')[:12]}"


def _named(cookie: RecipientCookie) -> str:
    return "/".join((*cookie.link, cookie.recipient_id))


async def get_shared(request: Request, services: InjectedServices) -> Services:
    """Returns the services, with process pools shared fairly between network addresses."""
    return services.shared(f"address {tuple(counted_networks(request))[-1]}")


SharedServices = Annotated[Services, Depends(get_shared)]


def audit_of(request: Request, recipient_id: RecipientId, program: ClientId | None = None) -> AuditContext:
    """Returns the audit context of a recipient's action. `program` is the client that opened the visit, if any."""
    audit = audit_context_of(request, Actor(kind=ActorKind.RECIPIENT, id=recipient_id))
    return audit.model_copy(update={"program": program})


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of a recipient for whom the documents are open.

    `program` is the client that opened them; None if the recipient followed their link.
    """

    request: Request
    services: Services
    cookie: RecipientCookie
    access: RecipientAccess
    program: ClientId | None = None

    @property
    def session(self) -> Session:
        return self.access.session

    @property
    def recipient(self) -> Recipient:
        return self.access.recipient

    @property
    def form_token(self) -> str:
        return self._cookies.form_token(self.cookie)

    @property
    def _cookies(self) -> RecipientCookies:
        return RecipientCookies(self.services.keys.cookie, self.services.base_url)

    async def read_form(self) -> PostedForm:
        """Returns the posted form; raises `FormOutOfDate` for a form of another cookie."""
        form = await read_form(self.request)
        self._cookies.check_form_token(self.cookie, form.get(CSRF, ""))
        return form

    def audit(self) -> AuditContext:
        return audit_of(self.request, self.recipient.recipient_id, self.program)

    def action(self) -> RecipientActionRequest:
        """Returns the request for an action of the recipient now."""
        recipient = self.recipient
        return RecipientActionRequest(
            recipient_id=recipient.recipient_id, invitation=recipient.invitation.number, audit=self.audit()
        )

    def redirect_to_documents(self) -> Response:
        return RedirectResponse(self.access.address, HTTPStatus.SEE_OTHER)


async def get_visit(request: Request, services: SharedServices, reader: InjectedReader, recipient_id: str) -> Visit:
    """Returns the visit; raises `CookieExpired`, `VisitExpired` and the errors of `resolve_recipient`.

    `recipient_id` is the id of the recipient, or the ticket of a visit that a program opened.
    """
    if not is_identifier(recipient_id):
        return await _find_program_visit(request, services, reader, recipient_id)
    cookie = RecipientCookies(services.keys.cookie, services.base_url).read(request, recipient_id)
    return Visit(request, services, cookie, await resolve_recipient(reader, cookie.link))


async def _find_program_visit(request: Request, services: Services, reader: SessionReader, ticket: str) -> Visit:
    visit, is_expired = Tickets(services.keys.cookie).read(ticket)
    origin = await listed_origin(services, visit.link.organisation_id, visit.host.origin)
    host = visit.host._replace(origin=origin)
    set_host(request, host)
    if is_expired:
        await prefer_language_of(reader, visit.link)
        raise VisitExpired
    access = (await resolve_recipient(reader, visit.link))._replace(ticket=ticket, host=host)
    return Visit(request, services, RecipientCookie(visit.link, visit.recipient_id), access, visit.client_id)


InjectedVisit = Annotated[Visit, Depends(get_visit)]

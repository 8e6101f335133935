"""Access of recipients: cookies, which replace a link's token when the documents are opened, CSRF tokens, and visits.

`web.signing.resolve_link` resolves links.

The cookie contains only the links that were used. Every request checks with the session that the link is still the
recipient's latest, so a newer invitation revokes older visits at once.
"""

import binascii
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, NamedTuple
from uuid import UUID

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from itsdangerous import BadData, Signer

from application.services import Services
from application.session_reader import SessionReader
from application.sessions.create_signing_url import listed_origin
from application.translations import current_language
from domain.audit.events import Actor, ActorKind, AuditContext
from domain.ports.session_requests import RecipientActionRequest
from domain.session.recipients import Recipient
from domain.session.session import Session
from domain.session.signing_links import Link
from domain.shared.ids import ClientId, OrganisationId, RecipientId, SessionId, is_identifier
from domain.shared.key_files import SIGNING, oldest_first
from domain.texts.languages import find_language
from web.asgi.client_address import audit_context_of
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.errors import CookieExpired, CookiesBlocked, FormOutOfDate, VisitExpired
from web.forms import PostedForm, read_form
from web.reader_language import prefer_language
from web.security_headers import set_host
from web.signing.resolve_link import RecipientAccess, prefer_language_of, resolve_recipient
from web.signing.signing_url_visit import Tickets, is_allowed

LIFETIME = 12 * 3600
"""In seconds: one working day. A lost device has no access by the next morning."""

MAX_VISITS = 20
"""Maximum visits in the cookie, which then has 2.3 kB. Proxies refuse requests whose headers exceed 4 or 8 kB."""

OPENED = "opened"
"""The query member of the first request after the cookie was set: the language of the page, and the time in seconds.

Without the cookie, the browser blocks cookies if that was just now; later, the cookie has expired.
"""

JUST_NOW = 120
"""Seconds within which a browser sends a cookie that it accepted."""

CSRF = "csrf"
"""The name of the input with the CSRF token. Programs post the forms too: it never changes."""

REFUSED = "refused"
"""The query member with the SHA-256 of a submission that was posted too late."""

UNKNOWN = "none"
"""Its value if the submission has no hash, such as a refusal."""


_VISIT = struct.Struct(">I16s16s32s16s")
"""A visit in the cookie: the time at which it began, organisation, session, link hash and recipient."""


class RecipientCookie(NamedTuple):
    """The recipient, and the link that they used."""

    link: Link
    recipient_id: RecipientId


class RecipientCookies:
    """Writes and reads the cookie with the visits of a browser, and the CSRF tokens of their forms.

    All visits share one cookie: one for each would accumulate until proxies refuse every request of the browser.
    """

    def __init__(self, key: bytes, base_url: str) -> None:
        self._secure = base_url.startswith("https:")
        # Browsers accept the prefix `__Host-` only with Secure, and Secure only over https.
        self._name = f"{'__Host-' if self._secure else ''}undersign-visits"
        self._signer = Signer(oldest_first(key), salt="undersign.visits", **SIGNING)
        self._forms = Signer(oldest_first(key), salt="undersign.form", **SIGNING)

    def redirect(self, request: Request, address: str, cookie: RecipientCookie) -> Response:
        """Redirects to `address`, and adds a visit to the cookie; the oldest ones beyond `MAX_VISITS` are dropped.

        SameSite is strict: browsers never send it with requests from other sites, links included.
        """
        others = [visit for visit in self._visits(request) if visit[1].recipient_id != cookie.recipient_id]
        latest = [(_now(), cookie), *others][:MAX_VISITS]
        content = urlsafe_b64encode(b"".join(_pack(began, one) for began, one in latest)).rstrip(b"=")
        response = RedirectResponse(f"{address}?{OPENED}={current_language()}-{_now()}", HTTPStatus.SEE_OTHER)
        response.set_cookie(
            self._name,
            self._signer.sign(content).decode(),
            max_age=LIFETIME,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )
        return response

    def read(self, request: Request, recipient_id: str) -> RecipientCookie:
        """Returns the visit of the recipient; raises `CookieExpired`, or `CookiesBlocked` right after it was set."""
        for _, cookie in self._visits(request):
            if cookie.recipient_id == recipient_id:
                return cookie
        language, _, at = request.query_params.get(OPENED, "").rpartition("-")
        if at.isascii() and at.isdigit() and abs(int(at[:15]) - _now()) < JUST_NOW:
            prefer_language(find_language(language))
            raise CookiesBlocked
        raise CookieExpired

    def _visits(self, request: Request) -> list[tuple[int, RecipientCookie]]:
        """Returns the visits that have not expired, latest first, with the times at which they began."""
        try:
            content = self._signer.unsign(request.cookies.get(self._name, ""))
            packed = urlsafe_b64decode(content + b"=" * (-len(content) % 4))
            visits = map(_unpack, _VISIT.iter_unpack(packed))
        except (BadData, binascii.Error, struct.error):
            return []
        return [visit for visit in visits if visit[0] > _now() - LIFETIME]

    def form_token(self, cookie: RecipientCookie) -> str:
        """Returns the CSRF token. All visits by one link have the same token, so forms work in several tabs."""
        return self._forms.get_signature(_named(cookie)).decode()

    def check_form_token(self, cookie: RecipientCookie, token: str) -> None:
        """Raises `FormOutOfDate` unless `token` is the CSRF token of `cookie`."""
        if not self._forms.verify_signature(_named(cookie), token):
            raise FormOutOfDate


def _now() -> int:
    return int(datetime.now(UTC).timestamp())


def _pack(began: int, cookie: RecipientCookie) -> bytes:
    link = cookie.link
    ids = (UUID(one).bytes for one in (link.organisation_id, link.session_id))
    return _VISIT.pack(began, *ids, bytes.fromhex(link.link_hash), UUID(cookie.recipient_id).bytes)


def _unpack(fields: tuple[int, bytes, bytes, bytes, bytes]) -> tuple[int, RecipientCookie]:
    began, organisation, session, link_hash, recipient = fields
    link = Link(OrganisationId(_id(organisation)), SessionId(_id(session)), link_hash.hex())
    return began, RecipientCookie(link, RecipientId(_id(recipient)))


def _id(packed: bytes) -> str:
    return str(UUID(bytes=packed))


def _named(cookie: RecipientCookie) -> str:
    return "/".join((*cookie.link, cookie.recipient_id))


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

    def redirect_to_documents(self, *, refused: str | None = None) -> Response:
        """Redirects to the page of the documents, or of the signature.

        `refused` is the SHA-256 of a submission that was posted after the recipient had signed. The page says that it
        was not recorded, unless it is what was recorded.
        """
        query = f"?{REFUSED}={refused}" if refused else ""
        return RedirectResponse(f"{self.access.address}{query}", HTTPStatus.SEE_OTHER)


async def get_visit(request: Request, services: InjectedServices, reader: InjectedReader, recipient_id: str) -> Visit:
    """Returns the visit; raises `CookieExpired`, `CookiesBlocked`, `VisitExpired`, and those of `resolve_recipient`.

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
    if is_expired or not await is_allowed(services, visit):
        await prefer_language_of(reader, visit.link)
        raise VisitExpired
    access = (await resolve_recipient(reader, visit.link))._replace(ticket=ticket, host=host)
    return Visit(request, services, RecipientCookie(visit.link, visit.recipient_id), access, visit.client_id)


InjectedVisit = Annotated[Visit, Depends(get_visit)]

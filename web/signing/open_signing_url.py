"""Opens the documents by a signing URL that a program created for a recipient. It works once, for ten minutes."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.caller import is_head_request
from application.services import Services
from application.sessions.create_signing_url import listed_origin
from domain.ports.signing_urls import SigningUrl
from domain.session.recipients import RecipientVerification
from domain.session.signing_links import Link, link_hash, link_secret, read_token
from domain.shared.errors import LinkNotValid
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.errors import AddressUsed
from web.page_route import READ, OwnPagesOnly, page_router
from web.reader_language import address_suffix
from web.security_headers import HostPage, set_host
from web.signing.email_code_page import CodePage
from web.signing.invitation import invitation_page, record_view
from web.signing.recipient_access import audit_of
from web.signing.resolve_link import RecipientAccess, prefer_language_of, resolve_recipient
from web.signing.signing_url_visit import ProgramVisit, Tickets, is_allowed

router = page_router("/open/{token}")

CONFIRMED_FIRST = "ask"
"""The query with which the address shows a button first: programs that preview links in chats send only GET."""


class _Opening(NamedTuple):
    """A request for a signing URL that is neither used nor expired."""

    link: Link
    visit: ProgramVisit
    access: RecipientAccess

    @property
    def asks_for_code(self) -> bool:
        return self.access.session.recipient_verification is RecipientVerification.EMAIL_CODE


@router.api_route("", methods=READ)
async def open_signing_url(
    request: Request, services: InjectedServices, reader: InjectedReader, token: str
) -> Response:
    """Opens the documents. Shows a button first if the session requires a code, or the query asks for it."""
    opening = await _find(request, services, reader, token)
    if is_head_request.get():
        return Response()
    asks_for_code = opening.asks_for_code
    if not asks_for_code and CONFIRMED_FIRST not in request.query_params:
        return await _open(request, services, opening)
    address = f"/open/{token}{address_suffix()}"
    return await invitation_page(services, opening.access, address, asks_for_code=asks_for_code)


@router.post("", dependencies=[OwnPagesOnly])
async def send_code(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    """Sends a code and shows the form for it; opens the documents if the session requires no code."""
    opening = await _find(request, services, reader, token)
    if not opening.asks_for_code:
        return await _open(request, services, opening)
    return await CodePage(request, services, opening.link, opening.access).send(f"/open/{token}{address_suffix()}")


@router.post("/code", dependencies=[OwnPagesOnly])
async def open_with_code(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    """Opens the documents if the entered code is right, otherwise shows the code page again."""
    opening = await _find(request, services, reader, token)
    page = CodePage(request, services, opening.link, opening.access)
    asked_again = await page.enter(f"/open/{token}{address_suffix()}") if opening.asks_for_code else None
    return asked_again or await _open(request, services, opening)


async def _find(request: Request, services: Services, reader: InjectedReader, token: str) -> _Opening:
    """Returns the opening. Raises `LinkNotValid`, `AddressUsed`, and the errors of `resolve_recipient`."""
    link = read_token(token)
    url = await services.signing_urls.find(link)
    if url is None:
        raise LinkNotValid
    origin = await listed_origin(services, link.organisation_id, url.origin)
    host = HostPage(origin, url.return_url)
    set_host(request, host)
    visit = _visit_of(services, link, url)
    has_ended = url.used_at is not None or url.ends_at <= datetime.now(UTC)
    if has_ended or not await is_allowed(services, visit):
        await prefer_language_of(reader, visit.link)
        raise AddressUsed
    access = await resolve_recipient(reader, visit.link)
    return _Opening(link, visit, access._replace(host=host))


def _visit_of(services: Services, link: Link, url: SigningUrl) -> ProgramVisit:
    secret = link_secret(services.keys.link, link.session_id, url.recipient_id, url.invitation)
    by_email = link._replace(link_hash=link_hash(secret))
    host = HostPage(url.origin, url.return_url)
    return ProgramVisit(by_email, url.recipient_id, url.client_id, host, url.generation)


async def _open(request: Request, services: Services, opening: _Opening) -> Response:
    visit = opening.visit
    await record_view(services, opening.access, audit_of(request, visit.recipient_id, visit.client_id))
    if not await services.signing_urls.use(opening.link, datetime.now(UTC)):
        raise AddressUsed
    return RedirectResponse(
        f"/signing/{Tickets(services.keys.cookie).write(visit)}{address_suffix()}", HTTPStatus.SEE_OTHER
    )

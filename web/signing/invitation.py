"""The invitation page, which a link opens. Only its button opens the documents, because mail scanners follow links."""

from contextlib import suppress
from datetime import UTC, datetime

from fastapi import Request, Response

from application.services import Services
from domain.audit.events import AuditContext
from domain.ports.session_requests import ViewRequest
from domain.session.signing_links import Link, read_token
from domain.shared.errors import AlreadySigned, SessionNotActive
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.html_response import render
from web.page_route import READ, OwnPagesOnly, page_router
from web.reader_language import address_suffix
from web.sender_identity import find_sender
from web.signing.email_code_page import CodePage, mask_email
from web.signing.recipient_access import RecipientCookie, RecipientCookies, audit_of
from web.signing.resolve_link import RecipientAccess, resolve_recipient

router = page_router("/sign/{token}")


@router.api_route("", methods=READ)
async def show_invitation(services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    """Shows the invitation with a button. Changes nothing."""
    access = await resolve_recipient(reader, read_token(token))
    return await invitation_page(
        services, access, f"/sign/{token}{address_suffix()}", asks_for_code=_asks_now(services, access)
    )


async def invitation_page(services: Services, access: RecipientAccess, here: str, *, asks_for_code: bool) -> Response:
    """Returns the invitation page. `here` is its address, to which its button posts."""
    return render(
        "invitation.html",
        session=access.session,
        recipient=access.recipient,
        is_signed=access.is_signed,
        address=mask_email(access.recipient.email) if asks_for_code else None,
        here=here,
        host_page=access.host,
        sender=await find_sender(services, access.session),
    )


@router.post("", dependencies=[OwnPagesOnly])
async def open_documents(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    """Records that the documents were opened, and exchanges the link's token for a cookie, or asks for a code."""
    link = read_token(token)
    access = await resolve_recipient(reader, link)
    if _asks_now(services, access):
        return await CodePage(request, services, link, access).send(f"/sign/{token}{address_suffix()}")
    return await _open(request, services, link, access)


@router.post("/code", dependencies=[OwnPagesOnly])
async def open_with_code(request: Request, services: InjectedServices, reader: InjectedReader, token: str) -> Response:
    """Opens the documents if the entered code is right, otherwise shows the code page again."""
    link = read_token(token)
    access = await resolve_recipient(reader, link)
    page = CodePage(request, services, link, access)
    asked_again = await page.enter(f"/sign/{token}{address_suffix()}") if _asks_now(services, access) else None
    return asked_again or await _open(request, services, link, access)


def _asks_now(services: Services, access: RecipientAccess) -> bool:
    return access.asks_for_code(services.copy_days, datetime.now(UTC))


async def record_view(services: Services, access: RecipientAccess, audit: AuditContext) -> None:
    """Records that the documents are opened, unless the recipient has signed."""
    recipient_id = access.recipient.recipient_id
    if access.is_signed or not access.session.view(recipient_id, audit).events:
        return  # a repeated view from the same device is not recorded
    number = access.recipient.invitation.number
    view = ViewRequest(recipient_id=recipient_id, invitation=number, audit=audit)
    # A change in between, such as an expiry, is shown by the page after the redirect.
    with suppress(AlreadySigned, SessionNotActive):
        await services.sessions.act(access.session, view)


async def _open(request: Request, services: Services, link: Link, access: RecipientAccess) -> Response:
    recipient_id = access.recipient.recipient_id
    await record_view(services, access, audit_of(request, recipient_id))
    cookies = RecipientCookies(services.keys.cookie, services.base_url)
    return cookies.redirect(request, access.address, RecipientCookie(link, recipient_id))

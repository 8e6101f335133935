"""The way in: a link shows an invitation, and only its button opens the documents.

Mail scanners follow links and have no cookies to keep; nothing that they do here leaves a trace (Specification 12.1).
"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from application.sessions.read import SessionReader
from asgi.audit_context import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.recipients import RecipientVerification
from domain.session.signing_links import Link, read_token
from domain.shared.errors import AlreadySigned, SessionNotActive
from ports.session_requests import RecipientActionRequest
from web.rendering import render
from web.signing.email_code import CodePage, mask_email
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies, resolve_recipient


async def show_invitation(request: Request, services: Services, reader: SessionReader, token: str) -> Response:
    """Who asks whom to sign what, with a button. No effect whatever."""
    access = await resolve_recipient(reader, read_token(token))
    return render(
        request,
        "invitation.html",
        session=access.session,
        recipient=access.recipient,
        is_signed=access.is_signed,
        address=mask_email(access.recipient.email) if _asks_now(services, access) else None,
        token=token,
    )


async def open_documents(request: Request, services: Services, reader: SessionReader, token: str) -> Response:
    """Records that the recipient opened the documents, and exchanges the link's token for the cookie of a cookie.

    Where the session wants a code, it is sent and asked for first. Who has signed already gets the cookie too: their
    copy is behind it.
    """
    link = read_token(token)
    access = await resolve_recipient(reader, link)
    if _asks_now(services, access):
        return await CodePage(request, services, link, access).send(token)
    return await _open(request, services, link, access)


async def open_with_code(request: Request, services: Services, reader: SessionReader, token: str) -> Response:
    """`open_documents`, for somebody who has been sent a code and enters it."""
    link = read_token(token)
    access = await resolve_recipient(reader, link)
    asked_again = await CodePage(request, services, link, access).enter(token) if _asks_now(services, access) else None
    return asked_again or await _open(request, services, link, access)


def asks_for_code(access: RecipientAccess, copy_days: int, at: datetime) -> bool:
    """Whether the documents open at `at` to the right code only.

    A mailbox that is lost, or a mail that is passed on, gives nobody a copy of what was signed: the link alone opens it
    for `copy_days` after all have signed, or after this recipient has while others have not.
    """
    if access.session.recipient_verification is RecipientVerification.EMAIL_CODE:
        return True
    signed_at = access.session.completed_at or access.recipient.completed_at
    return access.is_signed and signed_at is not None and at >= signed_at + timedelta(days=copy_days)


def _asks_now(services: Services, access: RecipientAccess) -> bool:
    return asks_for_code(access, services.copy_days, datetime.now(UTC))


async def _open(request: Request, services: Services, link: Link, access: RecipientAccess) -> Response:
    recipient_id = access.recipient.recipient_id
    if not access.is_signed:
        audit = audit_context_of(request, Actor(kind=ActorKind.RECIPIENT, id=recipient_id))
        if access.session.view(recipient_id, audit).events:  # the same device again leaves no trace
            number = access.recipient.invitation.number
            view = RecipientActionRequest(recipient_id=recipient_id, invitation=number, audit=audit)
            # What came in between, an expiry for one, is told where this leads.
            with suppress(AlreadySigned, SessionNotActive):
                await services.sessions.view(access.session, view)
    response = RedirectResponse(f"/signing/{recipient_id}", HTTPStatus.SEE_OTHER)
    RecipientCookies(services.keys.cookie, services.base_url).remember(response, RecipientCookie(link, recipient_id))
    return response

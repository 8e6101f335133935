"""The page on which a recipient declines to sign and gives a reason."""

import unicodedata
from contextlib import suppress
from http import HTTPStatus

import structlog
from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from asgi.client_address import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.normalizers import many_lines
from domain.shared.errors import AlreadySigned, SessionNotActive
from ports.session_requests import DeclineRequest
from web.error_pages import OUTAGES
from web.form_bodies import read_form
from web.rendering import render
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies
from web.texts import PAGES

log = structlog.get_logger(__name__)

MAX_REASON = 1000
"""Characters of a reason: the limit of the sender's message too."""

# The names of the inputs. Programs post this form too: they never change.
CSRF = "csrf"
REASON = "reason"


class DeclinePage:
    """The page of one recipient in one request."""

    def __init__(self, request: Request, services: Services) -> None:
        self._request = request
        self._services = services
        self._cookies = RecipientCookies(services.keys.cookie, services.base_url)
        self._signing = f"/signing/{request.path_params['recipient_id']}"

    def show(
        self, cookie: RecipientCookie, access: RecipientAccess, status: HTTPStatus = HTTPStatus.OK, **attempt: str
    ) -> Response:
        """Shows the form. `attempt`: the posted `reason` and the `problem` with it."""
        if access.is_signed:
            return self._to_documents()
        return render(
            "decline.html",
            status,
            session=access.session,
            recipient=access.recipient,
            csrf=self._cookies.form_token(cookie),
            max_reason=MAX_REASON,
            **{"reason": "", "problem": "", **attempt},
        )

    async def accept(self, cookie: RecipientCookie, access: RecipientAccess) -> Response:
        """Declines, or shows the page again with the error and the typed reason."""
        form = await read_form(self._request)
        self._cookies.check_form_token(cookie, form.get(CSRF, ""))
        reason = _clean(form.get(REASON, ""))
        problem = _problem(reason)
        if problem and not access.is_signed:
            return self.show(cookie, access, HTTPStatus.UNPROCESSABLE_ENTITY, reason=reason, problem=problem)
        try:
            # A change in between, such as another recipient's decline, is shown by the page after the redirect.
            with suppress(AlreadySigned, SessionNotActive):
                await self._decline(cookie, access, reason)
        except OUTAGES as error:
            log.warning("decline failed", error=type(error).__name__)
            problem = PAGES.decline_not_reached
            return self.show(cookie, access, HTTPStatus.SERVICE_UNAVAILABLE, reason=reason, problem=problem)
        return self._to_documents()

    async def _decline(self, cookie: RecipientCookie, access: RecipientAccess, reason: str) -> None:
        decline = DeclineRequest(
            recipient_id=cookie.recipient_id,
            invitation=access.recipient.invitation.number,
            audit=audit_context_of(self._request, Actor(kind=ActorKind.RECIPIENT, id=cookie.recipient_id)),
            reason=reason,
        )
        await self._services.sessions.decline(access.session, decline)

    def _to_documents(self) -> Response:
        return RedirectResponse(self._signing, HTTPStatus.SEE_OTHER)


def _clean(text: str) -> str:
    """Returns `text` without control characters and surrounding white space."""
    lines = many_lines(text)
    return "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) != "Cc").strip()


def _problem(reason: str) -> str:
    if not reason:
        return PAGES.reason_missing
    return PAGES.reason_too_long.format(limit=MAX_REASON) if len(reason) > MAX_REASON else ""

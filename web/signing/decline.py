"""The page on which a recipient refuses to sign and says why; and what happens when it is posted."""

import unicodedata
from contextlib import suppress
from http import HTTPStatus

import structlog
from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from asgi.audit_context import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.normalizers import many_lines
from domain.shared.errors import AlreadySigned, SessionNotActive
from ports.session_requests import DeclineRequest
from web.error_pages import OUTAGES
from web.form_bodies import read_form
from web.rendering import render, texts_of
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies
from web.texts import Texts

log = structlog.get_logger(__name__)

MAX_REASON = 1000
"""Characters of a reason: as many as a message may have that asks for the signature."""

# The names of the inputs. Programs post this form too: they never change.
CSRF = "csrf"
REASON = "reason"


class DeclinePage:
    """One recipient's page for declining in one request."""

    def __init__(self, request: Request, services: Services) -> None:
        self._request = request
        self._services = services
        self._cookies = RecipientCookies(services.keys.cookie, services.base_url)
        self._signing = f"/signing/{request.path_params['recipient_id']}"

    def show(
        self, cookie: RecipientCookie, access: RecipientAccess, status: HTTPStatus = HTTPStatus.OK, **attempt: str
    ) -> Response:
        """What declining means, and the form. `attempt`: the `reason` that was posted and the `problem` with it."""
        if access.is_signed:
            return self._to_documents()
        return render(
            self._request,
            "decline.html",
            status,
            session=access.session,
            recipient=access.recipient,
            csrf=self._cookies.form_token(cookie),
            max_reason=MAX_REASON,
            **{"reason": "", "problem": "", **attempt},
        )

    async def accept(self, cookie: RecipientCookie, access: RecipientAccess) -> Response:
        """Declines, or shows the page again with what is wrong and what was typed."""
        form = await read_form(self._request)
        self._cookies.check_form_token(cookie, form.get(CSRF, ""))
        texts = texts_of(self._request)
        reason = _legible(form.get(REASON, ""))
        problem = _problem(reason, texts)
        if problem and not access.is_signed:
            return self.show(cookie, access, HTTPStatus.UNPROCESSABLE_ENTITY, reason=reason, problem=problem)
        try:
            # What came in between, another's declining for one, is told where this leads.
            with suppress(AlreadySigned, SessionNotActive):
                await self._decline(cookie, access, reason)
        except OUTAGES as error:
            log.warning("declining not taken", error=type(error).__name__)
            problem = texts.decline_not_reached
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


def _legible(text: str) -> str:
    """`text` as it is kept: without characters that nobody sees and without white space around it."""
    lines = many_lines(text)
    return "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) != "Cc").strip()


def _problem(reason: str, texts: Texts) -> str:
    if not reason:
        return texts.reason_missing
    return texts.reason_too_long.format(limit=MAX_REASON) if len(reason) > MAX_REASON else ""

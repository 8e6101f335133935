"""The page on which a recipient declines to sign or to approve, and gives a reason."""

import unicodedata
from contextlib import suppress
from http import HTTPStatus

import structlog
from fastapi import Response

from domain.ports.session_requests import DeclineRequest
from domain.session.value_parsers import many_lines
from domain.shared.errors import AlreadySigned, SessionNotActive
from domain.shared.limits import MAX_MESSAGE
from domain.texts.combining_marks import MAX_MARKS, has_too_many_marks
from web.errors import OUTAGES
from web.html_response import SHOW, render
from web.page_route import READ, OwnPagesOnly, page_router
from web.sender_identity import find_sender
from web.signing.recipient_access import UNKNOWN, InjectedVisit, Visit
from web.texts import PAGES

router = page_router("/signing/{recipient_id}/decline")

log = structlog.get_logger(__name__)

REASON = "reason"
"""The name of the input. Programs post this form too: it never changes."""


@router.api_route("", methods=READ)
async def show_decline(visit: InjectedVisit) -> Response:
    return await _form(visit)


async def _form(visit: Visit, status: HTTPStatus = HTTPStatus.OK, *, reason: str = "", problem: str = "") -> Response:
    """Shows the form, with the posted `reason` and its `problem`."""
    if visit.access.is_signed:
        return visit.redirect_to_documents()
    return render(
        "decline.html",
        status,
        session=visit.session,
        recipient=visit.recipient,
        here=visit.access.address,
        host_page=visit.access.host,
        csrf=visit.form_token,
        typed_in="decline",
        max_reason=MAX_MESSAGE,
        reason=reason,
        problem=problem,
        sender=await find_sender(visit.services, visit.session),
    )


@router.post("", dependencies=[OwnPagesOnly])
async def decline(visit: InjectedVisit) -> Response:
    """Declines, or shows the form again with the typed reason and its problem."""
    form = await visit.read_form()
    reason = _clean(form.get(REASON, ""))
    if SHOW in form:
        return await _form(visit, reason=reason)
    problem = _problem(reason)
    if problem and not visit.access.is_signed:
        return await _form(visit, HTTPStatus.UNPROCESSABLE_ENTITY, reason=reason, problem=problem)
    request = DeclineRequest(**dict(visit.action()), reason=reason)
    try:
        # A change in between, such as another recipient's decline, is shown by the page after the redirect.
        with suppress(SessionNotActive):
            await visit.services.sessions.act(visit.session, request)
    except AlreadySigned:
        return visit.redirect_to_documents(refused=UNKNOWN)
    except OUTAGES as error:
        log.warning("decline failed", error=type(error).__name__)
        problem = PAGES.decline_approval_not_reached if visit.recipient.approves else PAGES.decline_not_reached
        return await _form(visit, HTTPStatus.SERVICE_UNAVAILABLE, reason=reason, problem=problem)
    return visit.redirect_to_documents()


def _clean(text: str) -> str:
    """Returns `text` without control characters and surrounding white space."""
    lines = many_lines(text)
    return "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) != "Cc").strip()


def _problem(reason: str) -> str:
    if not reason:
        return PAGES.reason_missing
    if len(reason) > MAX_MESSAGE:
        return PAGES.reason_too_long.format(limit=MAX_MESSAGE)
    return PAGES.too_many_marks.format(most=MAX_MARKS) if has_too_many_marks(reason) else ""

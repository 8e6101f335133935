"""The page on which an approver reads the documents, and approves them."""

from contextlib import suppress
from http import HTTPStatus

import structlog
from fastapi import Response

from domain.ports.session_requests import ApproveRequest
from domain.shared.errors import AlreadySigned, SessionNotActive
from web.errors import OUTAGES
from web.forms import PostedForm
from web.html_response import render
from web.page_route import OwnPagesOnly, page_router
from web.sender_identity import find_sender
from web.signing.document_theme_colours import theme_address
from web.signing.document_view import ViewContext, view_documents
from web.signing.large_pages import build_page
from web.signing.page_images import view_page_images
from web.signing.recipient_access import InjectedVisit, Visit
from web.signing.session_documents import DOCUMENTS, read_submissions
from web.texts import PAGES

router = page_router("/signing/{recipient_id}/approve")

log = structlog.get_logger(__name__)


async def show_approval(visit: Visit, status: HTTPStatus = HTTPStatus.OK, problem: str | None = None) -> Response:
    """Shows the documents with the buttons to approve and to decline, and the `problem`, if any."""
    access, objects = visit.access, visit.services.objects
    documents = await DOCUMENTS.read(objects, access.session)
    submitted = await read_submissions(objects, access.session)
    viewing = ViewContext(access=access, submitted=submitted, form=PostedForm(()), problems={}, rooms={})
    sender = await find_sender(visit.services, access.session)

    def build() -> Response:
        return render(
            "approval.html",
            status,
            session=access.session,
            recipient=access.recipient,
            documents=view_documents(documents, viewing),
            page_images=view_page_images(access),
            theme=theme_address(documents),
            here=access.address,
            host_page=access.host,
            csrf=visit.form_token,
            may_delegate=access.may_delegate,
            summary=[(None, problem)] if problem else [],
            sender=sender,
        )

    return await build_page(access.session, build)


@router.post("", dependencies=[OwnPagesOnly])
async def approve(visit: InjectedVisit) -> Response:
    """Approves, and redirects to the page after approval. Shows the documents again during an outage."""
    await visit.read_form()
    if not visit.recipient.approves:
        return visit.redirect_to_documents()
    try:
        # A form that is posted twice approves once. A change in between, such as an expiry, is shown by the page after
        # the redirect.
        with suppress(AlreadySigned, SessionNotActive):
            await visit.services.sessions.act(visit.session, ApproveRequest(**dict(visit.action())))
    except OUTAGES as error:
        log.warning("approval not accepted", error=type(error).__name__)
        return await show_approval(visit, HTTPStatus.SERVICE_UNAVAILABLE, PAGES.approval_not_reached)
    return visit.redirect_to_documents()

"""The page on which a recipient reads, fills in and signs the documents."""

from base64 import b64decode, b64encode
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple

import structlog
from fastapi import Response
from fastapi.responses import JSONResponse, RedirectResponse

from application.documents.render_jobs import ZoneText, check_text_fits, render_typed_signatures
from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION, consent_version
from domain.session.fields import FieldError
from domain.session.session import Submission
from domain.session.submission import Signature, SubmittedContent
from domain.session.value_parsers import one_line
from domain.shared.errors import AlreadySigned, SessionNotActive
from domain.shared.object_names import digest, session_prefix, submission_name
from domain.shared.times import TimeZone
from ports.process_pool import ProcessPool
from ports.session_requests import SignRequest
from web.errors import OUTAGES
from web.forms import PostedForm
from web.html_response import render
from web.page_route import READ, OwnPagesOnly, page_router
from web.sender_identity import find_sender
from web.signing.approval import show_approval
from web.signing.check_submitted_form import (
    CONSENT,
    MAX_SIGNATURE,
    SIGNATURE_DRAWING,
    SIGNATURE_TEXT,
    SIGNATURE_UPLOAD,
    STYLES,
    FormChecker,
    canonical,
    chosen_kind,
    chosen_style,
    find_time_zone,
)
from web.signing.completed import ACTS, show_completed
from web.signing.document_theme_css import theme_address
from web.signing.document_view import ViewContext, view_documents
from web.signing.estimate_rooms import estimate_rooms
from web.signing.field_views import focus_ids
from web.signing.images import view_page_images
from web.signing.recipient_access import InjectedVisit, Visit
from web.signing.review import ACT, REVIEW, ReviewedForm, show_review
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DOCUMENTS, blanks_of, read_submissions
from web.texts import PAGES

router = page_router("/signing/{recipient_id}")

PREVIEWED_TEXT = "text"

log = structlog.get_logger(__name__)

_ELEMENT_IDS = {
    SIGNATURE_TEXT: "signature-text",
    SIGNATURE_DRAWING: "signature-canvas",
    SIGNATURE_UPLOAD: "signature-file",
    CONSENT: "consent",
}
"""HTML ids of the inputs other than fields, by name."""


class Attempt(NamedTuple):
    """A posted form that was not accepted: its values, problems and the status of the response."""

    form: PostedForm
    problems: tuple[FieldError, ...]
    status: HTTPStatus


NO_ATTEMPT = Attempt(PostedForm(()), (), HTTPStatus.OK)


@router.api_route("", methods=READ)
async def show_page(visit: InjectedVisit) -> Response:
    """Shows the documents, or the page after signing or approving."""
    if visit.access.is_signed:
        act = ACTS.get(visit.recipient.role)
        if act and (address := visit.access.host.redirect_after(act)):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        return await show_completed(visit.services, visit.access)
    return await (show_approval(visit) if visit.recipient.approves else _show_documents(visit))


async def _show_documents(visit: Visit, attempt: Attempt = NO_ATTEMPT) -> Response:
    access, objects = visit.access, visit.services.objects
    documents = await DOCUMENTS.read(objects, access.session)
    draft = await SavedForm(visit.services.drafts, access).find() if attempt is NO_ATTEMPT else None
    attempt = attempt if draft is None else attempt._replace(form=draft)
    problems = {problem.key: problem.message for problem in attempt.problems}
    blanks = blanks_of(documents, access.recipient)
    context = ViewContext(
        access=access,
        submitted=await read_submissions(objects, access.session),
        form=attempt.form,
        problems=problems,
        rooms=await estimate_rooms(visit.services.pool, blanks),
    )
    ids = {**focus_ids(blanks, attempt.form), **_ELEMENT_IDS}
    return render(
        "signing.html",
        attempt.status,
        session=access.session,
        recipient=access.recipient,
        documents=view_documents(documents, context),
        page_images=view_page_images(access),
        theme=theme_address(documents),
        here=access.address,
        host_page=access.host,
        csrf=visit.form_token,
        may_delegate=access.may_delegate,
        form=attempt.form,
        has_draft=draft is not None,
        has_required=any(blank.field.required for blank in blanks),
        signature_kind=chosen_kind(attempt.form),
        signature_text=attempt.form.get(SIGNATURE_TEXT, access.recipient.name[:MAX_SIGNATURE]),
        is_prefilled=SIGNATURE_TEXT not in attempt.form,
        styles=STYLES,
        style=chosen_style(attempt.form),
        max_signature=MAX_SIGNATURE,
        consent_text=CONSENT_TEXTS[CONSENT_VERSION][PAGES.language],
        consent_version=consent_version(PAGES.language),
        problems=problems,
        sender=await find_sender(visit.services, access.session),
        summary=[(ids.get(key), message) for key, message in attempt.problems],  # no id for an outage
    )


@router.post("", dependencies=[OwnPagesOnly])
async def submit_form(visit: InjectedVisit) -> Response:
    """Signs, shows the review, or shows the page again with all values and errors."""
    form, services, access = await visit.read_form(), visit.services, visit.access
    if not access.recipient.signs:
        return visit.redirect_to_documents()
    saved = SavedForm(services.drafts, access)
    try:
        blanks = blanks_of(await DOCUMENTS.read(services.objects, access.session), access.recipient)
        checker = FormChecker(services.pool, services.quarantine)
        content, problems = await checker.check(form, blanks, access.recipient.key)
        if content is not None and not access.is_signed:
            zone = await find_time_zone(services, form, access.session.organisation_id, datetime.now(UTC))
            if form.get(ACT) == REVIEW:
                await saved.try_to_save(form)
                return await show_review(services, access, ReviewedForm(visit.form_token, form, blanks, content, zone))
            await _sign(visit, await _store(visit, content, zone))
            await saved.discard()
    except OUTAGES as error:
        log.warning("signature not taken", error=type(error).__name__)
        attempt = Attempt(form, (FieldError("", PAGES.not_reached),), HTTPStatus.SERVICE_UNAVAILABLE)
        return await _show_documents(visit, attempt)
    if problems and not access.is_signed:
        await saved.try_to_save(form)
        return await _show_documents(visit, Attempt(form, problems, HTTPStatus.UNPROCESSABLE_ENTITY))
    return visit.redirect_to_documents()


async def _sign(visit: Visit, submission: Submission) -> None:
    request = SignRequest(**dict(visit.action()), submission=submission)
    # A form that is posted twice signs once. A change in between, such as an expiry, is shown by the page after
    # the redirect.
    with suppress(AlreadySigned, SessionNotActive):
        await visit.services.sessions.sign(visit.session, request)


async def _store(visit: Visit, content: SubmittedContent, time_zone: TimeZone) -> Submission:
    session, written = visit.session, canonical(content)
    prefix = session_prefix(session.organisation_id, session.session_id)
    name = submission_name(prefix, visit.recipient.recipient_id, written)
    return Submission(
        content=await visit.services.objects.put(name, written, "application/json"),
        signature_sha256=digest(_signature_bytes(content.signature)),
        consent_version=content.consent_version,
        time_zone=time_zone,
    )


@router.post("/hand", dependencies=[OwnPagesOnly])
async def preview_signature(visit: InjectedVisit) -> JSONResponse:
    """Returns `picture`, the data URL of the image of a typed signature; null for text that is invalid."""
    form = await visit.read_form()
    text = one_line(form.get(PREVIEWED_TEXT, ""))
    has_preview = bool(text) and len(text) <= MAX_SIGNATURE and not visit.access.is_signed
    picture = await _draw(visit.services.pool, text, chosen_style(form)) if has_preview else None
    return JSONResponse({"picture": f"data:image/png;base64,{b64encode(picture).decode()}" if picture else None})


async def _draw(pool: ProcessPool, text: str, style: str) -> bytes | None:
    (printed,) = await pool.run(check_text_fits, (ZoneText(text, None),))
    if printed.undrawable:
        return None
    (picture,) = await pool.run(render_typed_signatures, (text,), style)
    return picture


def _signature_bytes(signature: Signature) -> bytes:
    if signature.png_base64 is not None:
        return b64decode(signature.png_base64)
    return (signature.text or "").encode()

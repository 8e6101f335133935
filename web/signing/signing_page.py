"""The page on which a recipient reads, fills in and signs the documents."""

from base64 import b64encode
from http import HTTPStatus
from typing import NamedTuple

from fastapi import Response
from fastapi.responses import JSONResponse, RedirectResponse

from application.documents.render_jobs import ZoneText, check_text_fits, render_typed_signatures
from domain.ports.process_pool import ProcessPool, lower_priority
from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION, consent_version
from domain.session.fields import FieldError
from domain.session.value_parsers import one_line
from domain.texts.combining_marks import has_too_many_marks
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
    chosen_kind,
    chosen_style,
)
from web.signing.completed import ACTS, is_other_submission, show_completed
from web.signing.document_theme_colours import theme_address
from web.signing.document_view import ViewContext, view_documents
from web.signing.field_views import focus_ids
from web.signing.large_pages import build_page
from web.signing.page_images import view_page_images
from web.signing.recipient_access import OPENED, REFUSED, InjectedVisit, Visit
from web.signing.room_of_text_fields import estimate_rooms
from web.signing.sanitize_signature_image import read_ink
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DOCUMENTS, blanks_of, read_submissions
from web.texts import PAGES

router = page_router("/signing/{recipient_id}")

PREVIEWED_TEXT = "text"

_ELEMENT_IDS = {
    SIGNATURE_TEXT: "signature-text",
    SIGNATURE_DRAWING: "signature-canvas",
    SIGNATURE_UPLOAD: "signature-file",
    CONSENT: "consent",
}
"""HTML ids of the inputs other than fields, by name."""


class Attempt(NamedTuple):
    """A posted form that was refused: its values, its problems and the status of the response."""

    form: PostedForm
    problems: tuple[FieldError, ...]
    status: HTTPStatus


NO_ATTEMPT = Attempt(PostedForm(()), (), HTTPStatus.OK)


@router.api_route("", methods=READ)
async def show_page(visit: InjectedVisit) -> Response:
    """Shows the documents, or the page after signing or approving."""
    if OPENED in visit.request.query_params:  # the cookie came back, so the address needs its query no more
        return RedirectResponse(visit.request.url.path, HTTPStatus.SEE_OTHER)
    refused = visit.request.query_params.get(REFUSED)
    if visit.access.is_signed and is_other_submission(visit.recipient, refused):
        return await show_completed(visit.services, visit.access, has_refused=True)
    if visit.access.is_signed:
        act = ACTS.get(visit.recipient.role)
        if act and (address := visit.access.host.redirect_after(act)):
            return RedirectResponse(address, HTTPStatus.SEE_OTHER)
        return await show_completed(visit.services, visit.access)
    return await (show_approval(visit) if visit.recipient.approves else show_documents(visit))


async def show_documents(visit: Visit, attempt: Attempt = NO_ATTEMPT) -> Response:
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
    labels = {blank.field.key: blank.field.label for blank in blanks}
    ids = {**focus_ids(blanks, attempt.form), **_ELEMENT_IDS}
    sender = await find_sender(visit.services, access.session)

    def build() -> Response:
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
            sender=sender,
            # The message about a field is beside it. An outage has no id.
            summary=[(ids.get(key), labels.get(key, message)) for key, message in attempt.problems],
        )

    return await build_page(access.session, build)


@router.post("/hand", dependencies=[OwnPagesOnly])
async def preview_signature(visit: InjectedVisit) -> JSONResponse:
    """Returns `picture`, the data URL of the image of a typed signature; null for text that is invalid."""
    form = await visit.read_form()
    text = one_line(form.get(PREVIEWED_TEXT, ""))
    has_preview = 0 < len(text) <= MAX_SIGNATURE and not has_too_many_marks(text) and not visit.access.is_signed
    lower_priority()
    picture = await _draw(visit.services.pool, text, chosen_style(form)) if has_preview else None
    return JSONResponse({"picture": _data_url(picture)})


@router.post("/ink", dependencies=[OwnPagesOnly])
async def read_uploaded_signature(visit: InjectedVisit) -> JSONResponse:
    """Returns `picture`, the data URL of the ink in the posted picture; null for a file without any."""
    upload = await visit.request.body()
    ink = None if visit.access.is_signed else await visit.services.quarantine.run(read_ink, upload)
    return JSONResponse({"picture": _data_url(ink)})


def _data_url(png: bytes | None) -> str | None:
    return f"data:image/png;base64,{b64encode(png).decode()}" if png else None


async def _draw(pool: ProcessPool, text: str, style: str) -> bytes | None:
    (printed,) = await pool.run(check_text_fits, (ZoneText(text, None),))
    if printed.undrawable:
        return None
    (picture,) = await pool.run(render_typed_signatures, (text,), style)
    return picture

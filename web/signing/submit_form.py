"""The posted form of the signing page: shows the review, signs, or shows the page again with its errors."""

from base64 import b64decode
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus

import structlog
from fastapi import Response

from domain.ports.session_requests import SignRequest
from domain.session.fields import FieldError
from domain.session.session import Submission
from domain.session.submission import Signature, SubmittedContent
from domain.shared.errors import AlreadySigned, SessionNotActive
from domain.shared.object_names import digest, session_prefix, submission_name
from domain.shared.times import TimeZone
from web.errors import OUTAGES
from web.page_route import OwnPagesOnly, page_router
from web.signing.check_submitted_form import (
    FormChecker,
    canonical,
    find_time_zone,
)
from web.signing.recipient_access import UNKNOWN, InjectedVisit, Visit
from web.signing.review import ACT, REVIEW, ReviewedForm, show_review
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DOCUMENTS, blanks_of
from web.signing.signing_page import Attempt, show_documents
from web.texts import PAGES

router = page_router("/signing/{recipient_id}")

log = structlog.get_logger(__name__)


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
            is_recorded = await _sign(visit, await _store(visit, content, zone))
            await saved.discard()
            return visit.redirect_to_documents(refused=None if is_recorded else digest(canonical(content)))
    except OUTAGES as error:
        log.warning("signature not accepted", error=type(error).__name__)
        attempt = Attempt(form, (FieldError("", PAGES.not_reached),), HTTPStatus.SERVICE_UNAVAILABLE)
        return await show_documents(visit, attempt)
    if problems and not access.is_signed:
        await saved.try_to_save(form)
        return await show_documents(visit, Attempt(form, problems, HTTPStatus.UNPROCESSABLE_ENTITY))
    return visit.redirect_to_documents(refused=digest(canonical(content)) if content else UNKNOWN)


async def _sign(visit: Visit, submission: Submission) -> bool:
    """Signs, and returns whether this submission was recorded: the recipient may have signed on another device."""
    request = SignRequest(**dict(visit.action()), submission=submission)
    # A change in between, such as an expiry, is shown by the page after the redirect.
    with suppress(SessionNotActive):
        try:
            await visit.services.sessions.act(visit.session, request)
        except AlreadySigned:
            return False
    return True


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


def _signature_bytes(signature: Signature) -> bytes:
    if signature.png_base64 is not None:
        return b64decode(signature.png_base64)
    return (signature.text or "").encode()

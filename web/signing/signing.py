"""The page on which a recipient reads, fills in and signs the documents."""

from base64 import b64decode
from contextlib import suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import NamedTuple

import structlog
from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from asgi.client_address import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.fields import CONSENT_TEXT, CONSENT_VERSION, FieldError, Signature, SubmittedContent
from domain.session.session import Submission
from domain.shared.errors import AlreadySigned, SessionNotActive
from domain.shared.object_names import digest, session_prefix, submission_name
from domain.shared.times import TimeZone
from ports.session_requests import SignRequest
from web.error_pages import OUTAGES
from web.form_bodies import PostedForm, read_form
from web.rendering import render
from web.signing import form_validation
from web.signing.document_view import ViewContext, view_documents
from web.signing.exact_pages import view_page_images
from web.signing.field_views import focus_ids
from web.signing.form_validation import FormChecker, canonical, chosen_kind, find_time_zone
from web.signing.recipient_access import RecipientAccess, RecipientCookie, RecipientCookies
from web.signing.review import ACT, REVIEW, ReviewedForm, show_review
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DocumentReader, blanks_of, read_submissions
from web.signing.theme_css import theme_address
from web.texts import PAGES

log = structlog.get_logger(__name__)

_ELEMENT_IDS = {
    form_validation.SIGNATURE_TEXT: "signature-text",
    form_validation.SIGNATURE_DRAWING: "signature-canvas",
    form_validation.SIGNATURE_UPLOAD: "signature-file",
    form_validation.CONSENT: "consent",
}
"""HTML ids of the inputs other than fields, by name."""


class SummaryLine(NamedTuple):
    """A line of the error summary. `element_id` is the input that it links to; None for an outage."""

    element_id: str | None
    message: str


class Attempt(NamedTuple):
    """A posted form that was not accepted: its values, problems and the status of the response."""

    form: PostedForm
    problems: tuple[FieldError, ...]
    status: HTTPStatus


NO_ATTEMPT = Attempt(PostedForm(()), (), HTTPStatus.OK)


class SigningPage:
    """The page of one recipient in one request."""

    def __init__(self, request: Request, services: Services, documents: DocumentReader) -> None:
        self._request = request
        self._services = services
        self._documents = documents
        self._cookies = RecipientCookies(services.keys.cookie, services.base_url)

    async def show(self, cookie: RecipientCookie, access: RecipientAccess, attempt: Attempt = NO_ATTEMPT) -> Response:
        """Shows the documents with the recipient's inputs, and the signature at the end."""
        documents = await self._documents.read(self._services.objects, access.session)
        draft = await SavedForm(self._services.drafts, access).find() if attempt is NO_ATTEMPT else None
        attempt = attempt if draft is None else attempt._replace(form=draft)
        problems = {problem.key: problem.message for problem in attempt.problems}
        viewing = ViewContext(
            access=access,
            submitted=await read_submissions(self._services.objects, access.session),
            form=attempt.form,
            problems=problems,
        )
        ids = {**focus_ids(blanks_of(documents, access.recipient), attempt.form), **_ELEMENT_IDS}
        return render(
            "signing.html",
            attempt.status,
            session=access.session,
            recipient=access.recipient,
            documents=view_documents(documents, viewing),
            page_images=view_page_images(access),
            theme=theme_address(documents),
            csrf=self._cookies.form_token(cookie),
            form=attempt.form,
            has_draft=draft is not None,
            signature_kind=chosen_kind(attempt.form),
            max_signature=form_validation.MAX_SIGNATURE,
            consent_text=CONSENT_TEXT,
            consent_version=CONSENT_VERSION,
            problems=problems,
            summary=[SummaryLine(ids.get(key), message) for key, message in attempt.problems],
        )

    async def accept(self, cookie: RecipientCookie, access: RecipientAccess) -> Response:
        """Signs, shows the review, or shows the page again with all values and errors."""
        form = await read_form(self._request)
        self._cookies.check_form_token(cookie, form.get(form_validation.CSRF, ""))
        try:
            documents = await self._documents.read(self._services.objects, access.session)
            blanks = blanks_of(documents, access.recipient)
            checker = FormChecker(self._services.pool, self._services.quarantine)
            content, problems = await checker.check(form, blanks, access.recipient.key)
            if content is not None and not access.is_signed:
                organisation_id = access.session.organisation_id
                zone = await find_time_zone(self._services, form, organisation_id, datetime.now(UTC))
                if form.get(ACT) == REVIEW:
                    await SavedForm(self._services.drafts, access).try_to_save(form)
                    reviewed = ReviewedForm(self._cookies.form_token(cookie), form, blanks, content, zone)
                    return show_review(access, reviewed)
                await self._sign(cookie, access, await self._keep(access, content, zone))
        except OUTAGES as error:
            log.warning("signature not taken", error=type(error).__name__)
            attempt = Attempt(form, (FieldError("", PAGES.not_reached),), HTTPStatus.SERVICE_UNAVAILABLE)
            return await self.show(cookie, access, attempt)
        if problems and not access.is_signed:
            await SavedForm(self._services.drafts, access).try_to_save(form)
            return await self.show(cookie, access, Attempt(form, problems, HTTPStatus.UNPROCESSABLE_ENTITY))
        return RedirectResponse(self._request.url.path, HTTPStatus.SEE_OTHER)

    async def _sign(self, cookie: RecipientCookie, access: RecipientAccess, submitted: Submission) -> None:
        sign = SignRequest(
            recipient_id=cookie.recipient_id,
            invitation=access.recipient.invitation.number,
            audit=audit_context_of(self._request, Actor(kind=ActorKind.RECIPIENT, id=cookie.recipient_id)),
            submission=submitted,
        )
        # A form that is posted twice signs once. A change in between, such as an expiry, is shown by the page after
        # the redirect.
        with suppress(AlreadySigned, SessionNotActive):
            await self._services.sessions.sign(access.session, sign)
        await SavedForm(self._services.drafts, access).discard()

    async def _keep(self, access: RecipientAccess, content: SubmittedContent, time_zone: TimeZone) -> Submission:
        written = canonical(content)
        prefix = session_prefix(access.session.organisation_id, access.session.session_id)
        name = submission_name(prefix, access.recipient.recipient_id, written)
        return Submission(
            content=await self._services.objects.put(name, written, "application/json"),
            signature_sha256=digest(_signature_bytes(content.signature)),
            consent_version=content.consent_version,
            time_zone=time_zone,
        )


def _signature_bytes(signature: Signature) -> bytes:
    if signature.png_base64 is not None:
        return b64decode(signature.png_base64)
    return (signature.text or "").encode()

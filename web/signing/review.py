"""The review page before signing: the entered values, and the pages as they will be stamped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import Response
from markupsafe import escape

from application.documents.page_images import PendingSubmission
from application.services import Services
from application.stamping.inputs import FieldPlacement
from application.stamping.stamp_job import SignerSubmission
from domain.session.consent_texts import CONSENT_VERSION, find_consent_text
from domain.session.fields import FieldKind
from domain.session.submission import FieldValue, SubmittedContent
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from domain.shared.times import TimeZone
from web.forms import PostedForm
from web.html_response import render
from web.page_route import READ, page_router
from web.sender_identity import find_sender
from web.signing.check_submitted_form import CONSENT, FormChecker, canonical, find_time_zone
from web.signing.field_views import focus_ids
from web.signing.large_pages import build_page
from web.signing.page_images import image_version, page_image_response, view_page_images
from web.signing.recipient_access import CSRF, InjectedVisit
from web.signing.resolve_link import RecipientAccess
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DOCUMENTS, blanks_of
from web.texts import PAGES

page_images = page_router("/signing/{recipient_id}", is_counted=False)

ACT = "act"
"""The name of the button that requests a review. A form without it, such as that of a program, is signed at once."""

REVIEW = "review"

_NOT_REPEATED = frozenset({CSRF, ACT})


@dataclass(frozen=True, slots=True)
class ValueView:
    """An entered value with its label. `picture` is the data URL of initials.

    `element_id` is the HTML id of its input on the signing page.
    """

    element_id: str
    label: str
    text: str
    picture: str
    is_tick: bool


@dataclass(frozen=True, slots=True)
class ReviewedForm:
    """A valid form, and the content that signing stores. `csrf` is the token of the form that signs."""

    csrf: str
    form: PostedForm
    blanks: Sequence[FieldPlacement]
    content: SubmittedContent
    time_zone: TimeZone


async def show_review(services: Services, access: RecipientAccess, reviewed: ReviewedForm) -> Response:
    """Shows all values and pages, and the form again as hidden inputs."""
    form, content = reviewed.form, reviewed.content
    ids = focus_ids(reviewed.blanks, form)
    sender = await find_sender(services, access.session)

    def build() -> Response:
        return render(
            "review.html",
            session=access.session,
            recipient=access.recipient,
            here=access.address,
            host_page=access.host,
            page_images=view_page_images(access, about_to_sign(access, content, reviewed.time_zone)),
            csrf=reviewed.csrf,
            handed_on=[(name, value) for name, value in form.multi_items() if name not in _NOT_REPEATED],
            values=[
                _view(blank, value, ids[blank.field.key])
                for blank, value in zip(reviewed.blanks, content.values, strict=True)
            ],
            signature=f"data:image/png;base64,{content.signature.png_base64}",
            consent=find_consent_text(content.consent_version),
            sender=sender,
        )

    return await build_page(access.session, build)


def about_to_sign(access: RecipientAccess, content: SubmittedContent, time_zone: TimeZone) -> PendingSubmission:
    """Returns the submission that signing now would store, for stamping on page images."""
    now = datetime.now(UTC)
    day = time_zone.date_of(now).date
    signed = SignerSubmission(access.recipient.name, now, day, content)
    visible = content.model_copy(update={"consent_version": CONSENT_VERSION})  # no page shows it
    return PendingSubmission(access.recipient.key, signed, digest(canonical(visible) + day.isoformat().encode()))


@page_images.api_route("/review/{file_id}/{number:int}", methods=READ)
async def review_image(visit: InjectedVisit, file_id: FileId, number: int, version: str = "") -> Response:
    """Returns the image of a page with the values of the recipient's saved form, which must be `version`.

    If the form was changed in another window since, the image says so. Raises `FileNotFound`.
    """
    access, services = visit.access, visit.services
    draft = None if access.is_signed else await SavedForm(services.drafts, access).find()
    if draft is None:
        raise FileNotFound
    agreed = PostedForm([*draft.multi_items(), (CONSENT, CONSENT_VERSION)])
    documents = await DOCUMENTS.read(services.objects, access.session)
    checker = FormChecker(services.pool, services.quarantine)
    checked = await checker.check(agreed, blanks_of(documents, access.recipient), access.recipient.key)
    if checked.content is None:
        raise FileNotFound
    zone = await find_time_zone(services, draft, access.session.organisation_id, datetime.now(UTC))
    about_to = about_to_sign(access, checked.content, zone)
    if version != image_version(access.session, access.session.file(file_id), about_to):
        return Response(
            _changed(PAGES.changed_elsewhere), media_type="image/svg+xml", headers={"Cache-Control": "no-store"}
        )
    return await page_image_response(services, access.session, file_id, number, about_to)


def _changed(words: str) -> str:
    """Returns an image of the size of a page with `words`."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><rect width="595" height="842" fill="#fff"/>'
        '<foreignObject x="60" y="360" width="475" height="200"><p xmlns="http://www.w3.org/1999/xhtml" dir="auto" '
        f'style="font:16px/1.5 sans-serif;color:#333;text-align:center">{escape(words)}</p></foreignObject></svg>'
    )


def _view(blank: FieldPlacement, value: FieldValue, element_id: str) -> ValueView:
    return ValueView(
        element_id=element_id,
        label=blank.field.label,
        text="\n".join(value.chosen),
        picture=f"data:image/png;base64,{value.png_base64}" if value.png_base64 else "",
        is_tick=blank.field.kind is FieldKind.CHECKBOX and not blank.field.options,
    )

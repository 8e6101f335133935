"""The review page before signing: the entered values, and the pages as they will be stamped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import Response

from application.documents.page_images import PendingSubmission
from application.services import Services
from domain.session.consent_texts import CONSENT_VERSION, find_consent_text
from domain.session.fields import FieldKind
from domain.session.submission import FieldValue, SubmittedContent
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from domain.shared.times import TimeZone
from stamping.inputs import FieldPlacement
from stamping.stamp_job import SignerSubmission
from web.forms import PostedForm
from web.html_response import render
from web.page_route import READ, page_router
from web.sender_identity import find_sender
from web.signing.check_submitted_form import CONSENT, FormChecker, canonical, find_time_zone
from web.signing.page_images import page_image_response, view_page_images
from web.signing.recipient_access import CSRF, InjectedVisit
from web.signing.resolve_link import RecipientAccess
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DOCUMENTS, blanks_of

page_images = page_router("/signing/{recipient_id}", is_counted=False)

ACT = "act"
"""The name of the button that requests a review. A form without it, such as that of a program, is signed at once."""

REVIEW = "review"

_NOT_REPEATED = frozenset({CSRF, ACT})


@dataclass(frozen=True, slots=True)
class ValueView:
    """An entered value with its label. `picture` is the data URL of initials."""

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
    return render(
        "review.html",
        session=access.session,
        recipient=access.recipient,
        here=access.address,
        host_page=access.host,
        page_images=view_page_images(access, about_to_sign(access, content, reviewed.time_zone)),
        csrf=reviewed.csrf,
        handed_on=[(name, value) for name, value in form.multi_items() if name not in _NOT_REPEATED],
        values=[_view(blank, value) for blank, value in zip(reviewed.blanks, content.values, strict=True)],
        signature=f"data:image/png;base64,{content.signature.png_base64}",
        consent=find_consent_text(content.consent_version),
        sender=await find_sender(services, access.session),
    )


def about_to_sign(access: RecipientAccess, content: SubmittedContent, time_zone: TimeZone) -> PendingSubmission:
    """Returns the submission that signing now would store, for stamping on page images."""
    now = datetime.now(UTC)
    day = time_zone.date_of(now).date
    signed = SignerSubmission(access.recipient.name, now, day, content)
    return PendingSubmission(access.recipient.key, signed, digest(canonical(content) + day.isoformat().encode()))


@page_images.api_route("/review/{file_id}/{number:int}", methods=READ)
async def review_image(visit: InjectedVisit, file_id: FileId, number: int) -> Response:
    """Returns the image of a page with the values of the recipient's saved form. Raises `FileNotFound`."""
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
    return await page_image_response(services, access.session, file_id, number, about_to)


def _view(blank: FieldPlacement, value: FieldValue) -> ValueView:
    return ValueView(
        label=blank.field.label,
        text="\n".join(value.chosen),
        picture=f"data:image/png;base64,{value.png_base64}" if value.png_base64 else "",
        is_tick=blank.field.kind is FieldKind.CHECKBOX and not blank.field.options,
    )

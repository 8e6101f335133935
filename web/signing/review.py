"""The last look before signing: what was filled in, and the pages as they will be sealed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import Request, Response

from application.documents.page_images import AboutToSign
from application.services import Services
from domain.session.fields import CONSENT_TEXT, CONSENT_VERSION, FieldKind, FieldValue, SubmittedContent
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from domain.shared.times import TimeZone
from stamping.inputs import FieldPlacement
from stamping.stamp_pdf import SignerSubmission
from web.form_bodies import PostedForm
from web.rendering import render, texts_of
from web.signing import form_validation
from web.signing.exact_pages import view_page_images
from web.signing.form_validation import FormChecker, canonical
from web.signing.page_image_responses import page_image_response
from web.signing.recipient_access import RecipientAccess
from web.signing.saved_form import SavedForm
from web.signing.session_documents import DocumentReader, blanks_of
from web.signing.time_zones import find_time_zone

ACT = "act"
"""The name of the button that asks for a review; a form without it is signed as it is, as programs do."""

REVIEW = "review"

_NOT_HANDED_ON = frozenset({form_validation.CSRF, ACT})


@dataclass(frozen=True, slots=True)
class ValueView:
    """What was filled in, by the label it stands under. `picture` is the data URL of initials."""

    label: str
    text: str
    picture: str
    is_tick: bool


@dataclass(frozen=True, slots=True)
class ReviewedForm:
    """A posted form and the content it would store. `csrf` is the token of the form that signs it."""

    csrf: str
    form: PostedForm
    blanks: Sequence[FieldPlacement]
    content: SubmittedContent
    time_zone: TimeZone


def show_review(request: Request, access: RecipientAccess, reviewed: ReviewedForm) -> Response:
    """The page with everything that will be signed, and the form once more, to be signed as it is."""
    form, content = reviewed.form, reviewed.content
    return render(
        request,
        "review.html",
        session=access.session,
        recipient=access.recipient,
        page_images=view_page_images(access, about_to_sign(access, content, reviewed.time_zone)),
        csrf=reviewed.csrf,
        handed_on=[(name, value) for name in form if name not in _NOT_HANDED_ON for value in form.all(name)],
        values=[_view(blank, value) for blank, value in zip(reviewed.blanks, content.values, strict=True)],
        signature=f"data:image/png;base64,{content.signature.png_base64}",
        consent_text=CONSENT_TEXT,
    )


def about_to_sign(access: RecipientAccess, content: SubmittedContent, time_zone: TimeZone) -> AboutToSign:
    """What signing now would put on the pages."""
    now = datetime.now(UTC)
    day = time_zone.date_of(now).date
    signed = SignerSubmission(access.recipient.name, now, day, content)
    return AboutToSign(access.recipient.key, signed, digest(canonical(content) + day.isoformat().encode()))


class ReviewImages:
    """Hands out the pages as they will be sealed, made of the recipient's draft."""

    def __init__(self, request: Request, services: Services, documents: DocumentReader) -> None:
        self._request = request
        self._services = services
        self._documents = documents

    async def page_image(self, access: RecipientAccess, file_id: FileId, page: int) -> Response:
        """The picture of one page.

        Raises:
            FileNotFound: no such page, or nothing that could be signed has been filled in.
        """
        draft = None if access.is_signed else await SavedForm(self._services.drafts, access).find()
        if draft is None:
            raise FileNotFound
        agreed = PostedForm(
            [*((n, v) for n in draft for v in draft.all(n)), (form_validation.CONSENT, CONSENT_VERSION)]
        )
        documents = await self._documents.read(self._services.objects, access.session)
        checker = FormChecker(self._services.pool, self._services.quarantine, texts_of(self._request))
        checked = await checker.check(agreed, blanks_of(documents, access.recipient), access.recipient.key)
        if checked.content is None:
            raise FileNotFound
        zone = await find_time_zone(self._services, draft, access.session.organisation_id, datetime.now(UTC))
        about_to = about_to_sign(access, checked.content, zone)
        return await page_image_response(self._services, access.session, file_id, page, about_to)


def _view(blank: FieldPlacement, value: FieldValue) -> ValueView:
    return ValueView(
        label=blank.field.label,
        text="\n".join(value.chosen),
        picture=f"data:image/png;base64,{value.png_base64}" if value.png_base64 else "",
        is_tick=blank.field.kind is FieldKind.CHECKBOX and not blank.field.options,
    )

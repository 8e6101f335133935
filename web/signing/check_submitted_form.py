"""Validates the posted form of the signing page: returns the content to store, or all errors.

`domain.session.check_one_field` checks each field. Its messages are translated here.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import rfc8785

from application.documents.render_jobs import TextFit, ZoneText, check_text_fits, render_typed_signatures
from application.services import Services
from application.stamping.inputs import FieldPlacement
from application.time_zones import time_zone_at
from application.translations import current_language, gettext
from domain.ports.process_pool import ProcessPool
from domain.session.check_one_field import CheckedInput, check_drawing, check_input
from domain.session.consent_texts import consent_version
from domain.session.fields import FieldError, FieldKind
from domain.session.submission import Signature, SignatureKind, SubmittedContent
from domain.session.value_parsers import one_line
from domain.shared.ids import OrganisationId
from domain.shared.times import TimeZone
from domain.texts.code_points import named
from domain.texts.combining_marks import MAX_MARKS, has_too_many_marks
from domain.texts.languages import LANGUAGES
from web.forms import PostedForm
from web.signing.sanitize_signature_image import SignatureImage, sanitize_signature_images
from web.texts import PAGES

MAX_SIGNATURE = 100
"""The largest number of characters of a typed signature."""

# The names of the inputs beside the fields. Programs post this form too: they never change.
SIGNATURE_KIND = "signatureKind"
SIGNATURE_TEXT = "signatureText"
SIGNATURE_STYLE = "signatureStyle"
SIGNATURE_DRAWING = "signatureDrawing"
SIGNATURE_UPLOAD = "signatureUpload"
CONSENT = "consent"
TIME_ZONE = "timeZone"

STYLES = ("flowing", "casual", "plain")
"""The handwriting styles of a typed signature, the default first: `HandStyle`, which child processes import."""

_UTC = TimeZone(name="UTC", minutes_ahead=0)

PICTURES: Mapping[SignatureKind, str] = {
    SignatureKind.DRAWN: SIGNATURE_DRAWING,
    SignatureKind.UPLOADED: SIGNATURE_UPLOAD,
}
"""The input with the image of a signature, by kind."""


class CheckedForm(NamedTuple):
    """A validated form: its content, or the problems in the order of the page."""

    content: SubmittedContent | None
    problems: tuple[FieldError, ...]


class CheckedSignature(NamedTuple):
    signature: Signature | None
    problem: FieldError | None


def initials_kind_name(key: str) -> str:
    return f"{key}/kind"


def initials_drawing_name(key: str) -> str:
    return f"{key}/drawing"


class FormChecker:
    """Validates forms. `pool` measures and renders text; `quarantine` decodes images, which are untrusted."""

    def __init__(self, pool: ProcessPool, quarantine: ProcessPool) -> None:
        self._pool = pool
        self._quarantine = quarantine

    async def check(self, form: PostedForm, blanks: Sequence[FieldPlacement], recipient_key: str) -> CheckedForm:
        """Returns the content of the form, or all its problems."""
        images = await self._sanitize_images(form, blanks)
        signing = form.get(SIGNATURE_TEXT, "") if chosen_kind(form) is SignatureKind.TYPED else ""
        entries, signing_print = await self._print(
            [(blank, self._entry(form, blank, images)) for blank in blanks], one_line(signing)
        )
        kind = chosen_kind(form)
        if kind in PICTURES:
            signature, wrong = self._check_picture(kind, images[form.get(PICTURES[kind], "")])
        else:
            signature, wrong = self._check_typed(one_line(signing), signing_print)
        problems = [entry.problem for entry in entries if entry.problem is not None]
        if wrong is not None:
            problems.append(wrong)
        consent = form.get(CONSENT, "")
        if consent not in map(consent_version, LANGUAGES):
            problems.append(FieldError(CONSENT, PAGES.consent_missing))
        if problems or signature is None:
            return CheckedForm(None, tuple(problems))
        typed = [signature.text or "", *(entry.text for entry in entries if _is_typed(entry))]
        hand = await self._write(typed, chosen_style(form))
        if signature.png_base64 is None:
            signature = signature.model_copy(update={"png_base64": hand[signature.text or ""]})
            if signature.png_base64 is None:
                return CheckedForm(None, (FieldError(SIGNATURE_TEXT, PAGES.signature_missing),))
        values = tuple(
            entry.value.model_copy(update={"png_base64": hand[entry.text]}) if _is_typed(entry) else entry.value
            for entry in entries
        )
        content = SubmittedContent(
            recipient_key=recipient_key, values=values, signature=signature, consent_version=consent
        )
        return CheckedForm(content, ())

    async def _write(self, texts: Sequence[str], style: str) -> Mapping[str, str | None]:
        """Renders texts as handwriting. Returns PNGs in base64, by the text."""
        unique = sorted({text for text in texts if text})
        pictures = await self._pool.run(render_typed_signatures, unique, style) if unique else ()
        return {text: b64encode(png).decode() if png else None for text, png in zip(unique, pictures, strict=True)}

    async def check_filled(self, form: PostedForm, blanks: Sequence[FieldPlacement]) -> tuple[FieldError, ...]:
        """Returns the problems of the fields that are filled in. Empty fields are ignored."""
        filled = [blank for blank in blanks if _is_filled(form, blank)]
        images = await self._sanitize_images(form, filled)
        entries, _ = await self._print([(blank, self._entry(form, blank, images)) for blank in filled], "")
        return tuple(entry.problem for entry in entries if entry.problem is not None)

    async def _sanitize_images(
        self, form: PostedForm, blanks: Sequence[FieldPlacement]
    ) -> Mapping[str, SignatureImage]:
        """Returns the chosen images by data URL. A repeated one is decoded once."""
        names = [initials_drawing_name(blank.field.key) for blank in blanks if is_drawn(form, blank)]
        if chosen_kind(form) in PICTURES:
            names.append(PICTURES[chosen_kind(form)])
        data_urls = sorted({form.get(name, "") for name in names})
        images = await self._quarantine.run(sanitize_signature_images, data_urls) if data_urls else ()
        return dict(zip(data_urls, images, strict=True))

    def _entry(self, form: PostedForm, blank: FieldPlacement, images: Mapping[str, SignatureImage]) -> CheckedInput:
        key = blank.field.key
        if not is_drawn(form, blank):
            return check_input(blank.field, form.getlist(key), current_language()).translated(gettext)
        image = images[form.get(initials_drawing_name(key), "")]
        entry = check_drawing(blank.field, image.png).translated(gettext)
        return entry if image.is_readable else entry.with_error(PAGES.initials_unreadable)

    async def _print(
        self, entries: Sequence[tuple[FieldPlacement, CheckedInput]], signing: str
    ) -> tuple[tuple[CheckedInput, ...], TextFit | None]:
        """Returns the entries, with problems where the text cannot be printed, and the result for the signature."""
        found = {
            entry.field.key: ZoneText(entry.text, blank.zone)
            for blank, entry in entries
            if entry.text and entry.problem is None
        }
        if 0 < len(signing) <= MAX_SIGNATURE:
            found[SIGNATURE_TEXT] = ZoneText(signing, None)
        results = await self._pool.run(check_text_fits, tuple(found.values())) if found else ()
        printed = dict(zip(found, results, strict=True))
        checked = tuple(self._as_printed(entry, printed.get(entry.field.key)) for _, entry in entries)
        return checked, printed.get(SIGNATURE_TEXT)

    def _as_printed(self, entry: CheckedInput, printed: TextFit | None) -> CheckedInput:
        if printed is None:
            return entry
        if printed.undrawable:
            return entry.with_error(PAGES.unprintable, characters=named(printed.undrawable))
        if printed.room is not None:
            return entry.with_error(PAGES.no_room, room=printed.room)
        return entry

    def _check_typed(self, text: str, printed: TextFit | None) -> CheckedSignature:
        if not text:
            return _refused(SIGNATURE_TEXT, PAGES.signature_missing)
        if len(text) > MAX_SIGNATURE:
            return _refused(SIGNATURE_TEXT, PAGES.signature_too_long.format(limit=MAX_SIGNATURE))
        if has_too_many_marks(text):
            return _refused(SIGNATURE_TEXT, PAGES.too_many_marks.format(most=MAX_MARKS))
        if printed is not None and printed.undrawable:
            return _refused(SIGNATURE_TEXT, PAGES.signature_unprintable.format(characters=named(printed.undrawable)))
        return CheckedSignature(Signature(kind=SignatureKind.TYPED, text=text), None)

    def _check_picture(self, kind: SignatureKind, image: SignatureImage) -> CheckedSignature:
        name = PICTURES[kind]
        is_drawn = kind is SignatureKind.DRAWN
        if not image.is_readable:
            return _refused(name, PAGES.drawing_unreadable if is_drawn else PAGES.upload_unreadable)
        if image.png is None:
            return _refused(name, PAGES.drawing_missing if is_drawn else PAGES.upload_missing)
        png = b64encode(image.png).decode()
        return CheckedSignature(Signature(kind=kind, png_base64=png), None)


def _refused(key: str, message: str) -> CheckedSignature:
    return CheckedSignature(None, FieldError(key, message))


def chosen_kind(form: Mapping[str, str]) -> SignatureKind:
    """Returns the kind of the signature in the form; typed by default."""
    chosen = form.get(SIGNATURE_KIND, "")
    return SignatureKind(chosen) if chosen in set(SignatureKind) else SignatureKind.TYPED


def chosen_style(form: Mapping[str, str]) -> str:
    """Returns the handwriting of the typed signature and initials in the form."""
    chosen = form.get(SIGNATURE_STYLE, "")
    return chosen if chosen in STYLES else STYLES[0]


def _is_typed(entry: CheckedInput) -> bool:
    """Returns whether the entry is typed initials, which are rendered as an image too."""
    return entry.field.kind is FieldKind.INITIALS and bool(entry.text)


def _is_filled(form: PostedForm, blank: FieldPlacement) -> bool:
    if is_drawn(form, blank):
        return bool(form.get(initials_drawing_name(blank.field.key)))
    return any(one_line(answer) for answer in form.getlist(blank.field.key))


def is_drawn(form: Mapping[str, str], blank: FieldPlacement) -> bool:
    """Returns whether the form has drawn initials for `blank`."""
    if blank.field.kind is not FieldKind.INITIALS:
        return False
    return form.get(initials_kind_name(blank.field.key)) == SignatureKind.DRAWN


def canonical(content: SubmittedContent) -> bytes:
    """Returns `content` as canonical JSON (RFC 8785), so that equal submissions have the same object name."""
    return rfc8785.dumps(content.model_dump(mode="json"))


async def find_time_zone(
    services: Services, form: Mapping[str, str], organisation_id: OrganisationId, at: datetime
) -> TimeZone:
    """Returns the time zone that `form` names; if it is unknown, that of the organisation, or UTC."""
    named = time_zone_at(form.get(TIME_ZONE, ""), at)
    if named is not None:
        return named
    organisation = await services.organisations.get(organisation_id)
    return (organisation and time_zone_at(organisation.time_zone, at)) or _UTC

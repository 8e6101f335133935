"""The posted form of the signing page: to the content that is kept, or to everything that is wrong with it."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import rfc8785

from application.documents.render_jobs import Printed, ToPrint, try_printing, write_by_hand
from domain.session.field_input import ParsedInput, parse_drawing, parse_input
from domain.session.fields import (
    CONSENT_VERSION,
    FieldError,
    FieldKind,
    Signature,
    SignatureKind,
    SubmittedContent,
)
from domain.session.normalizers import one_line
from ports.process_pool import ProcessPool
from stamping.inputs import FieldPlacement
from web.form_bodies import PostedForm
from web.signing.drawn_signature import Drawing, read_drawings
from web.texts import Texts

MAX_SIGNATURE = 100
"""Characters of a typed signature."""

# The names of the inputs beside the fields. Programs post this form too: they never change.
CSRF = "csrf"
SIGNATURE_KIND = "signatureKind"
SIGNATURE_TEXT = "signatureText"
SIGNATURE_DRAWING = "signatureDrawing"
SIGNATURE_UPLOAD = "signatureUpload"
CONSENT = "consent"

PICTURES: Mapping[SignatureKind, str] = {
    SignatureKind.DRAWN: SIGNATURE_DRAWING,
    SignatureKind.UPLOADED: SIGNATURE_UPLOAD,
}
"""The input that holds the picture of a signature, by how it was made."""


class CheckedForm(NamedTuple):
    """A form after checking: the content when nothing is wrong, otherwise the problems in the order of the page."""

    content: SubmittedContent | None
    problems: tuple[FieldError, ...]


class CheckedSignature(NamedTuple):
    signature: Signature | None
    problem: FieldError | None


def initials_kind_name(key: str) -> str:
    """The name of the input that says how the initials of the field `key` are given."""
    return f"{key}/kind"


def initials_drawing_name(key: str) -> str:
    """The name of the input that holds the initials of the field `key` when they are drawn."""
    return f"{key}/drawing"


class FormChecker:
    """Checks what a recipient hands in.

    `pool` knows the fonts, `quarantine` reads drawings, `texts` say what is wrong.
    """

    def __init__(self, pool: ProcessPool, quarantine: ProcessPool, texts: Texts) -> None:
        self._pool = pool
        self._quarantine = quarantine
        self._texts = texts

    async def check(self, form: PostedForm, blanks: Sequence[FieldPlacement], recipient_key: str) -> CheckedForm:
        """All that is wrong with the form at once, or its content."""
        drawings = await self._read_drawings(form, blanks)
        signing = form.get(SIGNATURE_TEXT, "") if chosen_kind(form) is SignatureKind.TYPED else ""
        entries, signing_print = await self._print(
            [(blank, self._entry(form, blank, drawings)) for blank in blanks], one_line(signing)
        )
        kind = chosen_kind(form)
        if kind in PICTURES:
            signature, wrong = self._check_picture(kind, drawings[form.get(PICTURES[kind], "")])
        else:
            signature, wrong = self._check_typed(one_line(signing), signing_print)
        problems = [entry.problem for entry in entries if entry.problem is not None]
        if wrong is not None:
            problems.append(wrong)
        if form.get(CONSENT) != CONSENT_VERSION:
            problems.append(FieldError(CONSENT, self._texts.consent_missing))
        if problems or signature is None:
            return CheckedForm(None, tuple(problems))
        hand = await self._write([signature.text or "", *(entry.text for entry in entries if _is_typed(entry))])
        if signature.png_base64 is None:
            signature = signature.model_copy(update={"png_base64": hand[signature.text or ""]})
            if signature.png_base64 is None:
                return CheckedForm(None, (FieldError(SIGNATURE_TEXT, self._texts.signature_missing),))
        values = tuple(
            entry.value.model_copy(update={"png_base64": hand[entry.text]}) if _is_typed(entry) else entry.value
            for entry in entries
        )
        content = SubmittedContent(
            recipient_key=recipient_key, values=values, signature=signature, consent_version=CONSENT_VERSION
        )
        return CheckedForm(content, ())

    async def _write(self, texts: Sequence[str]) -> Mapping[str, str | None]:
        """The pictures of what was typed to stand as if written by hand, base64, by the text."""
        wanted = sorted({text for text in texts if text})
        pictures = await self._pool.run(write_by_hand, wanted) if wanted else ()
        return {text: b64encode(png).decode() if png else None for text, png in zip(wanted, pictures, strict=True)}

    async def check_filled(self, form: PostedForm, blanks: Sequence[FieldPlacement]) -> tuple[FieldError, ...]:
        """What is wrong with what was filled in so far; what is empty is not wrong yet."""
        filled = [blank for blank in blanks if _is_filled(form, blank)]
        drawings = await self._read_drawings(form, filled)
        entries, _ = await self._print([(blank, self._entry(form, blank, drawings)) for blank in filled], "")
        return tuple(entry.problem for entry in entries if entry.problem is not None)

    async def _read_drawings(self, form: PostedForm, blanks: Sequence[FieldPlacement]) -> Mapping[str, Drawing]:
        """Every drawing that counts, by its data URL: the same one in many places is read once."""
        names = [initials_drawing_name(blank.field.key) for blank in blanks if is_drawn(form, blank)]
        if chosen_kind(form) in PICTURES:
            names.append(PICTURES[chosen_kind(form)])
        data_urls = sorted({form.get(name, "") for name in names})
        drawings = await self._quarantine.run(read_drawings, data_urls) if data_urls else ()
        return dict(zip(data_urls, drawings, strict=True))

    def _entry(self, form: PostedForm, blank: FieldPlacement, drawings: Mapping[str, Drawing]) -> ParsedInput:
        key = blank.field.key
        if not is_drawn(form, blank):
            return parse_input(blank.field, form.all(key), self._texts.advice)
        drawing = drawings[form.get(initials_drawing_name(key), "")]
        entry = parse_drawing(blank.field, drawing.png, self._texts.advice)
        return entry if drawing.is_readable else entry.refused(self._texts.initials_unreadable)

    async def _print(
        self, entries: Sequence[tuple[FieldPlacement, ParsedInput]], signing: str
    ) -> tuple[tuple[ParsedInput, ...], Printed | None]:
        """The entries, refused where they cannot be printed as they are, and how the signature is printed."""
        found = {
            entry.field.key: ToPrint(entry.text, blank.zone)
            for blank, entry in entries
            if entry.text and entry.problem is None
        }
        if 0 < len(signing) <= MAX_SIGNATURE:
            found[SIGNATURE_TEXT] = ToPrint(signing, None)
        results = await self._pool.run(try_printing, tuple(found.values())) if found else ()
        printed = dict(zip(found, results, strict=True))
        checked = tuple(self._as_printed(entry, printed.get(entry.field.key)) for _, entry in entries)
        return checked, printed.get(SIGNATURE_TEXT)

    def _as_printed(self, entry: ParsedInput, printed: Printed | None) -> ParsedInput:
        if printed is None:
            return entry
        if printed.undrawable:
            return entry.refused(self._texts.unprintable, characters=printed.undrawable)
        if printed.room is not None:
            return entry.refused(self._texts.no_room, room=printed.room)
        return entry

    def _check_typed(self, text: str, printed: Printed | None) -> CheckedSignature:
        texts = self._texts
        if not text:
            return _refused(SIGNATURE_TEXT, texts.signature_missing)
        if len(text) > MAX_SIGNATURE:
            return _refused(SIGNATURE_TEXT, texts.signature_too_long.format(limit=MAX_SIGNATURE))
        if printed is not None and printed.undrawable:
            return _refused(SIGNATURE_TEXT, texts.signature_unprintable.format(characters=printed.undrawable))
        return CheckedSignature(Signature(kind=SignatureKind.TYPED, text=text), None)

    def _check_picture(self, kind: SignatureKind, drawing: Drawing) -> CheckedSignature:
        texts, name = self._texts, PICTURES[kind]
        is_drawn = kind is SignatureKind.DRAWN
        if not drawing.is_readable:
            return _refused(name, texts.drawing_unreadable if is_drawn else texts.upload_unreadable)
        if drawing.png is None:
            return _refused(name, texts.drawing_missing if is_drawn else texts.upload_missing)
        png = b64encode(drawing.png).decode()
        return CheckedSignature(Signature(kind=kind, png_base64=png), None)


def _refused(key: str, message: str) -> CheckedSignature:
    return CheckedSignature(None, FieldError(key, message))


def chosen_kind(form: Mapping[str, str]) -> SignatureKind:
    """How the recipient signs; typed unless the form says otherwise."""
    chosen = form.get(SIGNATURE_KIND, "")
    return SignatureKind(chosen) if chosen in set(SignatureKind) else SignatureKind.TYPED


def _is_typed(entry: ParsedInput) -> bool:
    """Whether these are typed initials: what stands for them is a picture too."""
    return entry.field.kind is FieldKind.INITIALS and bool(entry.text)


def _is_filled(form: PostedForm, blank: FieldPlacement) -> bool:
    if is_drawn(form, blank):
        return bool(form.get(initials_drawing_name(blank.field.key)))
    return any(one_line(answer) for answer in form.all(blank.field.key))


def is_drawn(form: Mapping[str, str], blank: FieldPlacement) -> bool:
    """Whether the form has `blank` as a drawing: only initials can be one."""
    if blank.field.kind is not FieldKind.INITIALS:
        return False
    return form.get(initials_kind_name(blank.field.key)) == SignatureKind.DRAWN


def canonical(content: SubmittedContent) -> bytes:
    """The one way to write `content`: the same submission again is the same object."""
    return rfc8785.dumps(content.model_dump(mode="json"))

"""The posted form of the signing page: to the content that is kept, or to everything that is wrong with it."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import rfc8785

from adapters.processes import ProcessPool
from api.pages.drawing import DrawingUnreadable, read_drawing
from api.pages.texts import Texts
from api.typesetting import undrawable_names
from domain.fields import (
    CONSENT_VERSION,
    MAX_TEXT,
    Field,
    Problem,
    Signature,
    SignatureKind,
    SubmittedContent,
    collect_values,
)

MAX_SIGNATURE = 100
"""Characters of a typed signature."""

# The names of the inputs beside the fields. Programs post this form too: they never change.
CSRF = "csrf"
SIGNATURE_KIND = "signatureKind"
SIGNATURE_TEXT = "signatureText"
SIGNATURE_DRAWING = "signatureDrawing"
CONSENT = "consent"


class CheckedForm(NamedTuple):
    """A form after checking: the content when nothing is wrong, otherwise the problems in the order of the page."""

    content: SubmittedContent | None
    problems: tuple[Problem, ...]


class CheckedSignature(NamedTuple):
    signature: Signature | None
    problem: Problem | None


class FormChecker:
    """Checks what a recipient hands in. `pool` reads drawings and knows the fonts, `texts` say what is wrong."""

    def __init__(self, pool: ProcessPool, texts: Texts) -> None:
        self._pool = pool
        self._texts = texts

    async def check(self, form: Mapping[str, str], fields: Sequence[Field], recipient_key: str) -> CheckedForm:
        """All that is wrong with the form at once, or its content."""
        undrawable = await self._find_undrawable([*(field.key for field in fields), SIGNATURE_TEXT], form)
        values, problems = collect_values(fields, form, lambda text: undrawable.get(text, ""))
        if chosen_kind(form) is SignatureKind.DRAWN:
            signature, wrong = await self._check_drawing(form.get(SIGNATURE_DRAWING, ""))
        else:
            signature, wrong = self._check_typed(form.get(SIGNATURE_TEXT, "").strip(), undrawable)
        if wrong is not None:
            problems = (*problems, wrong)
        if form.get(CONSENT) != CONSENT_VERSION:
            problems = (*problems, Problem(CONSENT, self._texts.consent_missing))
        if problems or signature is None:
            return CheckedForm(None, problems)
        content = SubmittedContent(
            recipient_key=recipient_key, values=values, signature=signature, consent_version=CONSENT_VERSION
        )
        return CheckedForm(content, ())

    async def _find_undrawable(self, names: Sequence[str], form: Mapping[str, str]) -> Mapping[str, str]:
        """For each text in those inputs the characters that cannot be printed; texts that are too long are left out."""
        texts = sorted({text for name in names if 0 < len(text := form.get(name, "").strip()) <= MAX_TEXT})
        found = await self._pool.run(undrawable_names, texts) if texts else ()
        return dict(zip(texts, found, strict=True))

    def _check_typed(self, text: str, undrawable: Mapping[str, str]) -> CheckedSignature:
        texts = self._texts
        if not text:
            return _refused(SIGNATURE_TEXT, texts.signature_missing)
        if len(text) > MAX_SIGNATURE:
            return _refused(SIGNATURE_TEXT, texts.signature_too_long.format(limit=MAX_SIGNATURE))
        if characters := undrawable.get(text):
            return _refused(SIGNATURE_TEXT, texts.signature_unprintable.format(characters=characters))
        return CheckedSignature(Signature(kind=SignatureKind.TYPED, text=text), None)

    async def _check_drawing(self, data_url: str) -> CheckedSignature:
        try:
            png = await self._pool.run(read_drawing, data_url) if data_url else None
        except DrawingUnreadable:
            return _refused(SIGNATURE_DRAWING, self._texts.drawing_unreadable)
        if png is None:
            return _refused(SIGNATURE_DRAWING, self._texts.drawing_missing)
        return CheckedSignature(Signature(kind=SignatureKind.DRAWN, png_base64=b64encode(png).decode()), None)


def _refused(key: str, message: str) -> CheckedSignature:
    return CheckedSignature(None, Problem(key, message))


def chosen_kind(form: Mapping[str, str]) -> SignatureKind:
    """How the recipient signs; typed unless the form says drawn."""
    return SignatureKind.DRAWN if form.get(SIGNATURE_KIND) == SignatureKind.DRAWN else SignatureKind.TYPED


def canonical(content: SubmittedContent) -> bytes:
    """The one way to write `content`: the same submission again is the same object."""
    return rfc8785.dumps(content.model_dump(mode="json"))

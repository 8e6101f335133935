"""The inputs of a recipient and the values they submit."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from domain.ids import FileId
from domain.models import Value

MAX_TEXT = 2_000
"""Characters that one text value may have."""

CONSENT_VERSION = "2026-11-21"
CONSENT_TEXT = (
    "I agree to sign these documents electronically. My electronic signature is meant to bind me as my handwritten "
    "signature would."
)


class FieldKind(StrEnum):
    TEXT = "text"
    CHECKBOX = "checkbox"


class Field(Value):
    """One input of one recipient. `name` is unique within its file only, so `key` is what a form uses."""

    file_id: FileId
    name: str
    kind: FieldKind
    label: str
    required: bool

    @property
    def key(self) -> str:
        return f"{self.file_id}/{self.name}"


class FieldValue(Value):
    """A value as submitted: the text typed, or `true` or `false` for a tick box."""

    file_id: FileId
    name: str
    value: str


class SignatureKind(StrEnum):
    TYPED = "typed"
    DRAWN = "drawn"


class Signature(Value):
    """A signature: the name as typed, or the drawing as PNG (base64)."""

    kind: SignatureKind
    text: str | None = None
    png_base64: str | None = None


class SubmittedContent(Value):
    """All that one recipient handed in, as kept in the store: one immutable JSON object."""

    recipient_key: str
    values: tuple[FieldValue, ...]
    signature: Signature
    consent_version: str


class Problem(NamedTuple):
    """What is wrong with one input: its key and a sentence that says what to do."""

    key: str
    message: str


def collect_values(
    fields: Sequence[Field], answers: Mapping[str, str], undrawable: Callable[[str], str]
) -> tuple[tuple[FieldValue, ...], tuple[Problem, ...]]:
    """The values of `fields` in `answers` (by field key) and everything that is wrong with them.

    `undrawable` gives the characters of a text that cannot be printed on the document. Answers that belong to no
    field are nobody's and are passed over: another recipient's inputs cannot be filled in.
    """
    values: list[FieldValue] = []
    problems: list[Problem] = []
    for field in fields:
        answer = answers.get(field.key, "").strip()
        if field.kind is FieldKind.CHECKBOX:
            answer = "true" if answer else "false"
            if field.required and answer == "false":
                problems.append(Problem(field.key, f"Tick “{field.label}” to continue."))
        elif field.required and not answer:
            problems.append(Problem(field.key, f"Fill in “{field.label}”."))
        elif len(answer) > MAX_TEXT:
            problems.append(Problem(field.key, f"Shorten “{field.label}” to {MAX_TEXT} characters."))
        elif unprintable := undrawable(answer):
            problems.append(
                Problem(field.key, f"“{field.label}” cannot be printed with these characters: {unprintable}")
            )
        values.append(FieldValue(file_id=field.file_id, name=field.name, value=answer))
    return tuple(values), tuple(problems)

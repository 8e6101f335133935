"""From what a recipient entered to the values that are kept, or to a sentence that says what to do instead."""

from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

from domain.session.fields import Field, FieldError, FieldKind, FieldValue
from domain.session.normalizers import (
    EXAMPLE_DATES,
    many_lines,
    one_line,
    parse_australian_mobile,
    parse_date,
    parse_email,
    parse_number,
)

MAX_TEXT = 2_000
"""Characters that one text value may have; the room on its page may well hold fewer."""

MAX_INITIALS = 12
"""Characters of typed initials."""

_CHOICES = frozenset({FieldKind.RADIO, FieldKind.DROPDOWN})


class InputMessages:
    """What to do about each mistake, in English; another language is a subclass. `{label}` is the field's."""

    fill_in: str = "Fill in “{label}”."
    choose: str = "Choose an option for “{label}”."
    choose_offered: str = "Choose one of the options that are offered for “{label}”."
    initials: str = "Put your initials into “{label}”."
    tick: str = "Tick “{label}” to continue."
    tick_some: str = "Tick at least one option of “{label}”."
    tick_offered: str = "Tick only options that are offered for “{label}”."
    shorten: str = "Shorten “{label}” to {longest} characters."
    date: str = "Write “{label}” as a date in the form {format}, for example {example}."
    number: str = "Write “{label}” as a number, for example 1250.50."
    email: str = "Write “{label}” as an email address, for example name@example.com."
    mobile: str = "Write “{label}” as an Australian mobile number, for example 0491 570 156 or +61 491 570 156."

    def missing(self, kind: FieldKind) -> str:
        """About nothing where something has to be."""
        return self.choose if kind in _CHOICES else self.initials if kind is FieldKind.INITIALS else self.fill_in

    def unreadable(self, kind: FieldKind) -> str:
        """About what is not in the form that `kind` has."""
        return {
            FieldKind.DATE: self.date,
            FieldKind.NUMBER: self.number,
            FieldKind.EMAIL: self.email,
            FieldKind.AU_MOBILE: self.mobile,
        }[kind]


ENGLISH = InputMessages()


class ParsedInput(NamedTuple):
    """One input as it was filled in: its value, in its normal form when nothing is wrong with it."""

    field: Field
    value: FieldValue
    problem: FieldError | None = None

    @property
    def text(self) -> str:
        """What is to be printed of it in letters that the recipient chose; empty for ticks, options and drawings."""
        is_text = self.field.kind not in _CHOICES | {FieldKind.CHECKBOX}
        return self.value.value if is_text and isinstance(self.value.value, str) else ""

    def refused(self, advice: str, **facts: object) -> "ParsedInput":
        """The entry with a problem: `advice` says what to do; `{label}` in it is the field's, the rest are `facts`."""
        return self._replace(problem=FieldError(self.field.key, advice.format(label=self.field.label, **facts)))

    @property
    def is_drawn(self) -> bool:
        return self.value.png_base64 is not None


def parse_input(field: Field, answers: Sequence[str], say: InputMessages = ENGLISH) -> ParsedInput:
    """What was entered into `field`. `answers` are all values that a form has under its key, in order; often one.

    `say`: what is said of mistakes.
    """
    if field.takes_several:
        return _read_several(field, answers, say)
    answer = answers[-1] if answers else ""
    if field.kind is FieldKind.CHECKBOX:
        return _read_tick(field, say, is_ticked=bool(one_line(answer)))
    if field.kind in _CHOICES:
        return _read_choice(field, answer, say)
    return _read_text(field, answer, say)


def parse_drawing(field: Field, png: bytes | None, say: InputMessages = ENGLISH) -> ParsedInput:
    """Initials that were drawn; None when there is nothing on the drawing."""
    written = None if png is None else b64encode(png).decode()
    entry = ParsedInput(field, FieldValue(file_id=field.file_id, name=field.name, value="", png_base64=written))
    return entry.refused(say.initials) if png is None and field.required else entry


def _read_text(field: Field, answer: str, say: InputMessages) -> ParsedInput:
    text = many_lines(answer) if field.kind is FieldKind.MULTILINE_TEXT else one_line(answer)
    entry = _entry(field, text)
    if not text:
        return entry.refused(say.missing(field.kind)) if field.required else entry
    longest = MAX_INITIALS if field.kind is FieldKind.INITIALS else MAX_TEXT
    if len(text) > longest:
        return entry.refused(say.shorten, longest=longest)
    normal = _normal(field, text)
    if normal is None:
        written = {"format": field.date_format, "example": EXAMPLE_DATES[field.date_format]}
        return entry.refused(say.unreadable(field.kind), **written)
    return _entry(field, normal)


def _normal(field: Field, text: str) -> str | None:
    match field.kind:
        case FieldKind.DATE:
            return parse_date(field.date_format, text)
        case FieldKind.NUMBER:
            return parse_number(text)
        case FieldKind.EMAIL:
            return parse_email(text)
        case FieldKind.AU_MOBILE:
            return parse_australian_mobile(text)
        case _:
            return text


def _read_tick(field: Field, say: InputMessages, *, is_ticked: bool) -> ParsedInput:
    entry = _entry(field, "true" if is_ticked else "false")
    return entry.refused(say.tick) if field.required and not is_ticked else entry


def _read_choice(field: Field, answer: str, say: InputMessages) -> ParsedInput:
    wanted = _plain(answer)
    chosen = next((option for option in field.options if _plain(option) == wanted), "") if wanted else ""
    entry = _entry(field, chosen)
    if wanted and not chosen:
        return entry.refused(say.choose_offered)
    return entry.refused(say.choose) if field.required and not chosen else entry


def _read_several(field: Field, answers: Sequence[str], say: InputMessages) -> ParsedInput:
    wanted = {plain for answer in answers if (plain := _plain(answer))}
    chosen = tuple(option for option in field.options if _plain(option) in wanted)
    entry = _entry(field, chosen)
    if wanted - {_plain(option) for option in chosen}:
        return entry.refused(say.tick_offered)
    return entry.refused(say.tick_some) if field.required and not chosen else entry


def _entry(field: Field, value: str | tuple[str, ...]) -> ParsedInput:
    return ParsedInput(field, FieldValue(file_id=field.file_id, name=field.name, value=value))


def _plain(option: str) -> str:
    """An option as browsers hand it in and as documents have it, made comparable: white space aside."""
    return " ".join(option.split())

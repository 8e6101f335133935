"""Parses form input of recipients into normalised values, or into errors that say what to do."""

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
"""Maximum characters of a text value. The space on its page may hold fewer."""

MAX_INITIALS = 12
"""Maximum characters of typed initials."""

_CHOICES = frozenset({FieldKind.RADIO, FieldKind.DROPDOWN})


class InputMessages:
    """Messages about invalid input, in English; another language is a subclass."""

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
        """Returns the message about a missing value."""
        return self.choose if kind in _CHOICES else self.initials if kind is FieldKind.INITIALS else self.fill_in

    def unreadable(self, kind: FieldKind) -> str:
        """Returns the message about a value in the wrong format."""
        return {
            FieldKind.DATE: self.date,
            FieldKind.NUMBER: self.number,
            FieldKind.EMAIL: self.email,
            FieldKind.AU_MOBILE: self.mobile,
        }[kind]


ENGLISH = InputMessages()


class ParsedInput(NamedTuple):
    """The parsed input of one field. `value` is normalised if there is no problem."""

    field: Field
    value: FieldValue
    problem: FieldError | None = None

    @property
    def text(self) -> str:
        """The text to print in fonts of the document; empty for ticks, options and drawings."""
        is_text = self.field.kind not in _CHOICES | {FieldKind.CHECKBOX}
        return self.value.value if is_text and isinstance(self.value.value, str) else ""

    def with_error(self, message: str, **facts: object) -> "ParsedInput":
        """Returns the input with an error. `message` is formatted with the label of the field and `facts`."""
        return self._replace(problem=FieldError(self.field.key, message.format(label=self.field.label, **facts)))

    @property
    def is_drawn(self) -> bool:
        return self.value.png_base64 is not None


def parse_input(field: Field, answers: Sequence[str], messages: InputMessages = ENGLISH) -> ParsedInput:
    """Parses the input of `field`; `answers` are all values that the form has under its key, in order."""
    if field.takes_several:
        return _parse_several(field, answers, messages)
    answer = answers[-1] if answers else ""
    if field.kind is FieldKind.CHECKBOX:
        return _parse_tick(field, messages, is_ticked=bool(one_line(answer)))
    if field.kind in _CHOICES:
        return _parse_choice(field, answer, messages)
    return _parse_text(field, answer, messages)


def parse_drawing(field: Field, png: bytes | None, messages: InputMessages = ENGLISH) -> ParsedInput:
    """Parses drawn initials. `png` is None if nothing was drawn."""
    written = None if png is None else b64encode(png).decode()
    parsed = ParsedInput(field, FieldValue(file_id=field.file_id, name=field.name, value="", png_base64=written))
    return parsed.with_error(messages.initials) if png is None and field.required else parsed


def _parse_text(field: Field, answer: str, messages: InputMessages) -> ParsedInput:
    text = many_lines(answer) if field.kind is FieldKind.MULTILINE_TEXT else one_line(answer)
    parsed = _parsed(field, text)
    if not text:
        return parsed.with_error(messages.missing(field.kind)) if field.required else parsed
    longest = MAX_INITIALS if field.kind is FieldKind.INITIALS else MAX_TEXT
    if len(text) > longest:
        return parsed.with_error(messages.shorten, longest=longest)
    normal = _normal(field, text)
    if normal is None:
        written = {"format": field.date_format, "example": EXAMPLE_DATES[field.date_format]}
        return parsed.with_error(messages.unreadable(field.kind), **written)
    return _parsed(field, normal)


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


def _parse_tick(field: Field, messages: InputMessages, *, is_ticked: bool) -> ParsedInput:
    parsed = _parsed(field, "true" if is_ticked else "false")
    return parsed.with_error(messages.tick) if field.required and not is_ticked else parsed


def _parse_choice(field: Field, answer: str, messages: InputMessages) -> ParsedInput:
    requested = _plain(answer)
    chosen = next((option for option in field.options if _plain(option) == requested), "") if requested else ""
    parsed = _parsed(field, chosen)
    if requested and not chosen:
        return parsed.with_error(messages.choose_offered)
    return parsed.with_error(messages.choose) if field.required and not chosen else parsed


def _parse_several(field: Field, answers: Sequence[str], messages: InputMessages) -> ParsedInput:
    requested = {plain for answer in answers if (plain := _plain(answer))}
    chosen = tuple(option for option in field.options if _plain(option) in requested)
    parsed = _parsed(field, chosen)
    if requested - {_plain(option) for option in chosen}:
        return parsed.with_error(messages.tick_offered)
    return parsed.with_error(messages.tick_some) if field.required and not chosen else parsed


def _parsed(field: Field, value: str | tuple[str, ...]) -> ParsedInput:
    return ParsedInput(field, FieldValue(file_id=field.file_id, name=field.name, value=value))


def _plain(option: str) -> str:
    """Normalises white space, so that options from browsers and documents compare equal."""
    return " ".join(option.split())

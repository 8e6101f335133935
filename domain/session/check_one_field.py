"""Checks the form input of recipients. The result is the normalised value, or an error that says what to do.

`domain.session.value_parsers` parses dates, numbers and addresses.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from domain.session import error_messages as messages
from domain.session import value_parsers
from domain.session.fields import Field, FieldError, FieldKind
from domain.session.submission import FieldValue
from domain.shared.email_addresses import parse_email
from domain.texts.combining_marks import MAX_MARKS, has_too_many_marks
from domain.texts.languages import ENGLISH

MAX_TEXT = 2_000
"""Maximum characters of a text value. The space on its page may hold fewer."""

MAX_INITIALS = 12
"""Maximum characters of typed initials."""

_CHOICES = frozenset({FieldKind.RADIO, FieldKind.DROPDOWN})


class CheckedInput(NamedTuple):
    """The checked input of one field. `value` is normalised if there is no error.

    `error` is a format string with the placeholder `label` and the names in `facts`.
    """

    field: Field
    value: FieldValue
    error: str | None = None
    facts: Mapping[str, object] = MappingProxyType({})

    @property
    def problem(self) -> FieldError | None:
        """The formatted error; None if the input is valid."""
        if self.error is None:
            return None
        return FieldError(self.field.key, self.error.format(label=self.field.label, **self.facts))

    @property
    def text(self) -> str:
        """The text that is printed in the fonts of the document; empty for checkboxes, options and drawings."""
        is_text = self.field.kind not in _CHOICES | {FieldKind.CHECKBOX}
        return self.value.value if is_text and isinstance(self.value.value, str) else ""

    def with_error(self, message: str, **facts: object) -> "CheckedInput":
        """Returns the input with an error. `message` is formatted with the label of the field and `facts`."""
        return self._replace(error=message, facts=facts)

    def translated(self, translate: Callable[[str], str]) -> "CheckedInput":
        """Returns the input with its error translated, and the texts in it, such as the letters of a date format."""
        if self.error is None:
            return self
        facts = {name: translate(fact) if isinstance(fact, str) else fact for name, fact in self.facts.items()}
        return self._replace(error=translate(self.error), facts=facts)

    @property
    def is_drawn(self) -> bool:
        return self.value.png_base64 is not None


def check_input(field: Field, answers: Sequence[str], language: str = ENGLISH) -> CheckedInput:
    """Checks the input of `field` on a page in `language`.

    `answers` are all values that the form has under its key, in order.
    """
    if field.takes_several:
        return _check_several(field, answers)
    answer = answers[-1] if answers else ""
    if field.kind is FieldKind.CHECKBOX:
        return _check_tick(field, is_ticked=bool(value_parsers.one_line(answer)))
    if field.kind in _CHOICES:
        return _check_choice(field, answer)
    return _check_text(field, answer, language)


def check_drawing(field: Field, png: bytes | None) -> CheckedInput:
    """Checks drawn initials. `png` is None if nothing was drawn."""
    written = None if png is None else b64encode(png).decode()
    entry = CheckedInput(field, FieldValue(file_id=field.file_id, name=field.name, value="", png_base64=written))
    return entry.with_error(messages.INITIALS) if png is None and field.required else entry


def _check_text(field: Field, answer: str, language: str) -> CheckedInput:
    text = (
        value_parsers.many_lines(answer) if field.kind is FieldKind.MULTILINE_TEXT else value_parsers.one_line(answer)
    )
    entry = _checked(field, text)
    if not text:
        return (
            entry.with_error(messages.INITIALS if field.kind is FieldKind.INITIALS else messages.FILL_IN)
            if field.required
            else entry
        )
    longest = MAX_INITIALS if field.kind is FieldKind.INITIALS else MAX_TEXT
    if len(text) > longest:
        return entry.with_error(messages.SHORTEN, longest=longest)
    if has_too_many_marks(text):
        return entry.with_error(messages.MARKS, most=MAX_MARKS)
    return _check_number(entry, text, language) if field.kind is FieldKind.NUMBER else _check_format(entry, text)


def _check_format(entry: CheckedInput, text: str) -> CheckedInput:
    field = entry.field
    try:
        normal = _normal(field, text)
    except value_parsers.NoSuchDate:
        return entry.with_error(messages.NO_SUCH_DATE)
    except value_parsers.AmbiguousDate as error:
        first, second = error.readings
        return entry.with_error(messages.EITHER_DATE, first=first, second=second)
    if normal is None:
        written = {"format": field.date_format, "example": value_parsers.EXAMPLE_DATES[field.date_format]}
        return entry.with_error(messages.UNREADABLE[field.kind], **written)
    return _checked(field, normal)


def _normal(field: Field, text: str) -> str | None:
    match field.kind:
        case FieldKind.DATE:
            return value_parsers.parse_date(field.date_format, text)
        case FieldKind.EMAIL:
            return parse_email(text)
        case FieldKind.AU_MOBILE:
            return value_parsers.parse_australian_mobile(text)
        case _:
            return text


def _check_number(entry: CheckedInput, text: str, language: str) -> CheckedInput:
    match value_parsers.read_entered_number(text, language):
        case (only,):
            return _checked(entry.field, only)
        case (whole, decimal):
            # The last zero leaves one reading, as three digits alone may be thousands.
            digits = value_parsers.with_separator_of(language, f"{decimal}0")
            return entry.with_error(messages.EITHER_NUMBER, whole=whole, decimal=digits)
        case _:
            return entry.with_error(messages.UNREADABLE[FieldKind.NUMBER])


def _check_tick(field: Field, *, is_ticked: bool) -> CheckedInput:
    entry = _checked(field, "true" if is_ticked else "false")
    return entry.with_error(messages.TICK) if field.required and not is_ticked else entry


def _check_choice(field: Field, answer: str) -> CheckedInput:
    requested = _plain(answer)
    chosen = next((option for option in field.options if _plain(option) == requested), "") if requested else ""
    entry = _checked(field, chosen)
    if requested and not chosen:
        return entry.with_error(messages.CHOOSE_OFFERED)
    return entry.with_error(messages.CHOOSE) if field.required and not chosen else entry


def _check_several(field: Field, answers: Sequence[str]) -> CheckedInput:
    requested = {plain for answer in answers if (plain := _plain(answer))}
    chosen = tuple(option for option in field.options if _plain(option) in requested)
    entry = _checked(field, chosen)
    if requested - {_plain(option) for option in chosen}:
        return entry.with_error(messages.TICK_OFFERED)
    return entry.with_error(messages.TICK_SOME) if field.required and not chosen else entry


def _checked(field: Field, value: str | tuple[str, ...]) -> CheckedInput:
    return CheckedInput(field, FieldValue(file_id=field.file_id, name=field.name, value=value))


def _plain(option: str) -> str:
    """Normalises white space, so that options from browsers and documents compare equal."""
    return " ".join(option.split())

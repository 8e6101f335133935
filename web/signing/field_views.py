"""Views of inputs on the signing page: controls for the viewer's own, values for those of others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from application.stamping.inputs import FieldPlacement
from application.translations import gettext
from domain.session.check_one_field import MAX_INITIALS, MAX_TEXT
from domain.session.fields import Field, FieldKind
from domain.session.submission import FieldValue
from domain.session.value_parsers import EXAMPLE_DATES
from web.forms import PostedForm
from web.signing.check_submitted_form import initials_drawing_name, initials_kind_name, is_drawn
from web.signing.places_on_page import box_of, place_of

_WIDGETS: Mapping[FieldKind, str] = {
    FieldKind.MULTILINE_TEXT: "lines",
    FieldKind.CHECKBOX: "tick",
    FieldKind.RADIO: "radios",
    FieldKind.DROPDOWN: "dropdown",
    FieldKind.INITIALS: "initials",
}


@dataclass(frozen=True, slots=True)
class OptionView:
    """An option of an input: its `box` on the page (`web.signing.places_on_page.box_of`), its `value` in the form."""

    element_id: str
    text: str
    is_chosen: bool
    box: str = ""

    @property
    def value(self) -> str:
        return " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class OwnInputView:
    """An input of the viewer: its `value` as typed, its `problem`, its `place` on the pages, and the data URL
    of a `drawing`. On an error the element `element_id` gets the focus.
    """

    type: ClassVar[str] = "own_input"
    max_length: ClassVar[int] = MAX_TEXT
    max_initials: ClassVar[int] = MAX_INITIALS
    element_id: str
    field: Field
    place: str
    placeholder: str | None
    value: str
    options: tuple[OptionView, ...]
    drawing: str
    is_drawn: bool
    problem: str | None
    room: int | None = None

    @property
    def widget(self) -> str:
        """The name of its macro in `templates/inputs.html`."""
        return widget_of(self.field)

    @property
    def kind_name(self) -> str:
        return initials_kind_name(self.field.key)

    @property
    def drawing_name(self) -> str:
        return initials_drawing_name(self.field.key)

    @property
    def date_format(self) -> str:
        """The field's format of dates, in the letters of the page's language."""
        return gettext(self.field.date_format)

    @property
    def example(self) -> str:
        """A date in the field's format."""
        return EXAMPLE_DATES[self.field.date_format]


@dataclass(frozen=True, slots=True)
class OthersInputView:
    """An input of another recipient, with its `value` once they have signed."""

    type: ClassVar[str] = "others_input"
    field: Field
    owner_name: str
    value: FieldValue | None

    @property
    def widget(self) -> str:
        return widget_of(self.field)

    @property
    def options(self) -> tuple[OptionView, ...]:
        chosen = self.value.chosen if self.value else ()
        return tuple(OptionView("", option, option in chosen) for option in self.field.options)


def widget_of(field: Field) -> str:
    return "ticks" if field.takes_several else _WIDGETS.get(field.kind, "line")


def element_ids(fields: Sequence[Field]) -> Mapping[str, str]:
    """Returns an HTML id for each field, by its key. Keys may have characters that ids should not have."""
    return {field.key: f"field-{number}" for number, field in enumerate(fields, start=1)}


def focus_ids(blanks: Sequence[FieldPlacement], form: PostedForm) -> Mapping[str, str]:
    """Returns the HTML id of the element that gets the focus on an error, by field key."""
    ids = element_ids([blank.field for blank in blanks])
    return {blank.field.key: ids[blank.field.key] + ("-canvas" if is_drawn(form, blank) else "") for blank in blanks}


def view_own_input(
    blank: FieldPlacement, element_id: str, form: PostedForm, problem: str | None, room: int | None = None
) -> OwnInputView:
    """Returns the view of `blank` with its values in `form`. `room` is a result of `estimate_rooms`, or None."""
    field = blank.field
    answers = form.getlist(field.key)
    chosen = {" ".join(answer.split()) for answer in (answers if field.takes_several else answers[-1:])}
    boxes = [box_of(option.x, option.y, option.w, option.h) for option in blank.zone.options]
    options = (
        OptionView(element_id if at == 0 else f"{element_id}-{at + 1}", text, " ".join(text.split()) in chosen, box)
        for at, (text, box) in enumerate(zip(field.options, boxes, strict=True))
    )
    return OwnInputView(
        element_id=element_id,
        field=field,
        place=place_of(blank.zone),
        placeholder=blank.zone.placeholder,
        value=form.get(field.key, ""),
        options=tuple(options),
        drawing=form.get(initials_drawing_name(field.key), ""),
        is_drawn=is_drawn(form, blank),
        problem=problem,
        room=room,
    )

"""The members of inputs, and which of them each type of input takes. Specification 2.8."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from layout.schema.part import MAX_TEXT, Part, RecipientKey, Text

FieldType = Literal[
    "text", "multilineText", "date", "number", "email", "auMobile", "checkbox", "radio", "dropdown", "initials"
]
DateFormat = Literal["DD/MM/YYYY", "DD/MM/YY", "MM/DD/YYYY", "MM/DD/YY", "YYYY-MM-DD", "MM/YYYY", "MM/YY"]
DEFAULT_DATE_FORMAT: DateFormat = "DD/MM/YYYY"
MIN_CHOICES = 2
"""Minimum number of options of a radio or dropdown field."""

LABEL_RULE = "Text printed beside or above the field, and shown to the signer."
_ONE_OF_SEVERAL = frozenset({"radio", "dropdown"})
_WITH_OPTIONS = _ONE_OF_SEVERAL | {"checkbox"}
_WITHOUT_PLACEHOLDER = frozenset({"checkbox", "radio", "initials"})
Options = Annotated[tuple[Text, ...], Field(min_length=1, max_length=20)]


class Input(Part):
    """The members of an input, alone or in a row. Specification 2.8. `required`: None means the default of its type."""

    field_type: FieldType = Field(description="Type of the field.")
    label: Text = Field(description=LABEL_RULE, examples=["Purchase order"])
    recipient: RecipientKey = Field(description="Key of the recipient who fills it in.", examples=["client"])
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=1000)] | None = Field(
        default=None,
        description=("Key of the value in the document: letters, digits, `_` and `-`. Default: from the label."),
    )
    required: bool | None = Field(default=None, description="Default: true, for a checkbox false.")
    placeholder: Annotated[str, Field(max_length=MAX_TEXT)] | None = Field(
        default=None,
        description="Hint in an empty input; not for checkbox, radio and initials.",
    )
    options: Options | None = Field(
        default=None,
        validate_default=True,
        description=(
            "Different texts: at least 2 of a radio or dropdown; of a checkbox, a group of boxes; of others none."
        ),
    )
    date_format: DateFormat | None = Field(default=None, description="Of a date. Default: `DD/MM/YYYY`.")

    @property
    def is_required(self) -> bool:
        return self.field_type != "checkbox" if self.required is None else self.required

    def contents(self, path: str) -> Iterator[tuple[str, str]]:
        """Yields the visible texts in reading order, each with its JSON pointer."""
        yield f"{path}/label", self.label
        if self.placeholder is not None:
            yield f"{path}/placeholder", self.placeholder
        yield from ((f"{path}/options/{at}", option) for at, option in enumerate(self.options or ()))

    @field_validator("placeholder")
    @classmethod
    def _placeholder_of_its_type(cls, placeholder: str | None, given: ValidationInfo) -> str | None:
        type_ = given.data.get("field_type")
        if placeholder is not None and type_ in _WITHOUT_PLACEHOLDER:
            raise PydanticCustomError(
                "no_placeholder",
                "A {type} field takes no placeholder. Leave it out, or put the hint in the label.",
                {"type": type_},
            )
        return placeholder

    @field_validator("options")
    @classmethod
    def _options_of_their_type(cls, options: Options | None, given: ValidationInfo) -> Options | None:
        type_ = given.data.get("field_type")
        if type_ is None:
            return options
        if type_ in _ONE_OF_SEVERAL and len(options or ()) < MIN_CHOICES:
            raise PydanticCustomError("few_options", "A {type} field needs at least 2 options.", {"type": type_})
        if options is not None and type_ not in _WITH_OPTIONS:
            raise PydanticCustomError(
                "no_options",
                "A {type} field takes no options. Leave them out, or make it a radio, dropdown or checkbox field.",
                {"type": type_},
            )
        told_apart = {" ".join(option.split()) for option in options or ()}
        if len(told_apart) < len(options or ()):
            raise PydanticCustomError("equal_options", "Two options are equal. Give each its own text.")
        return options

    @field_validator("date_format")
    @classmethod
    def _format_of_a_date(cls, format_: DateFormat | None, given: ValidationInfo) -> DateFormat | None:
        type_ = given.data.get("field_type")
        if format_ is not None and type_ not in {None, "date"}:
            raise PydanticCustomError(
                "no_format",
                "A {type} field takes no dateFormat. Leave it out, or make it a date.",
                {"type": type_},
            )
        return format_

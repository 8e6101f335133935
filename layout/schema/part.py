"""Base classes of the objects in a block document, and types of their members. Specification 2.5.

Unknown members are rejected. JSON members are camelCase, attributes snake_case.
"""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from domain.texts.blank import is_blank

BLANK = "This must not be blank. Enter a text."
FILLED: Final = {"filled": True}
"""Validation context of a document made from a template, whose paragraphs may be blank."""


def not_blank(text: str) -> str:
    """Returns `text`; raises `PydanticCustomError` if it is blank."""
    if is_blank(text):
        raise PydanticCustomError("blank", BLANK)
    return text


def _not_blank_unless_filled(text: str, info: ValidationInfo) -> str:
    return text if info.context == FILLED else not_blank(text)


def _bounds(longest: int) -> Any:  # noqa: ANN401  # what `Field` returns
    return Field(min_length=1, max_length=longest, json_schema_extra={"pattern": r"\S"})


MAX_TEXT = 100_000
"""Maximum length of a text in characters."""

Text = Annotated[str, _bounds(MAX_TEXT), AfterValidator(not_blank)]
HeadingText = Annotated[str, _bounds(500), AfterValidator(not_blank)]
SignatureLabel = Annotated[str, _bounds(100), AfterValidator(not_blank)]
ParagraphText = Annotated[str, _bounds(MAX_TEXT), AfterValidator(_not_blank_unless_filled)]
RecipientKey = Annotated[str, Field(max_length=100)]


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""Accepts a whole number written as 30.0, which JSON Schema allows, because some clients have no integers."""


class Part(BaseModel):
    """Base class of the objects in a block document."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True)

"""Types of texts that must not be blank."""

import unicodedata
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

BLANK = "This must not be blank. Give it a text."

FILLED: Final = {"filled": True}
"""Validation context of a document made from a template, whose paragraphs may be blank."""

_UNSEEN = frozenset({"Cf", "Zl", "Zp", "Zs"})
_UNSEEN_SIGNS = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
    | {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
)
"""Fillers, joiners, variation selectors and the empty Braille pattern, which Unicode classifies as letters or marks."""


def is_blank(text: str) -> bool:
    """Whether `text` has no visible character."""
    return all(sign.isspace() or unicodedata.category(sign) in _UNSEEN or ord(sign) in _UNSEEN_SIGNS for sign in text)


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

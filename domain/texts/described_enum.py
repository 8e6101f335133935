"""Enums whose values have a meaning for readers: the API description and the assistants' guide show it."""

from enum import StrEnum
from typing import Self


class DescribedEnum(StrEnum):
    """An enum of texts. Each member is a value with its meaning; the docstring is the meaning of the enum."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    @classmethod
    def described(cls) -> str:
        """Returns the meaning of the enum and of each value, in Markdown."""
        return " ".join((str(cls.__doc__), *(f"`{member.value}`: {member.meaning}." for member in cls)))

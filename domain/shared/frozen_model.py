"""The base of values of the domain."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class FrozenModel(BaseModel):
    """An immutable value.

    Unknown members are ignored, because a worker of the previous version must read values of the next version. The
    schemas of requests are strict.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


def omitted_default(default: T, description: str | None = None) -> T:
    """Returns the field of a member that JSON omits while it has its default, so that older values keep their bytes."""
    return Field(default, description=description, exclude_if=lambda value: bool(value == default))

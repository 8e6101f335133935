"""The base class of values of the domain."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class FrozenModel(BaseModel):
    """An immutable value.

    Unknown members are ignored, because a worker of the previous version must read values of the next version. The
    schemas of requests are strict.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")


def omitted_default(default: T, description: str | None = None) -> T:
    """Returns a field that JSON omits while it has its default, so that a new member does not change stored values."""
    return Field(default, description=description, exclude_if=lambda value: bool(value == default))


def members_of(kind: type[BaseModel], source: object) -> dict[str, Any]:
    """Returns the values that `source` has for all members of `kind`, by name."""
    return {name: getattr(source, name) for name in kind.model_fields}

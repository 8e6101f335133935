"""What the models of responses are made of. They accept what later versions of the service add."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer
from pydantic.alias_generators import to_camel


def rfc3339(at: datetime) -> str:
    """Returns the text form of a time: `2026-06-12T10:30:00.000Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Timestamp = Annotated[datetime, PlainSerializer(rfc3339, return_type=str)]


class ResponseModel(BaseModel):
    """Base of responses. Members that a later version of the service adds are ignored."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class OpenEnum(StrEnum):
    """Base of enums. A value that a later version of the service adds becomes a member without a name."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member

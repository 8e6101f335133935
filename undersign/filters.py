"""Filters of lists by their Python names, and their query parameters (Specification 4.8)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, TypedDict

from pydantic.alias_generators import to_camel

from domain.shared.times import rfc3339


class SessionFilters(TypedDict, total=False):
    """Sessions that match all filters. Times need a time zone; the end of a range is excluded."""

    status: str | Sequence[str]
    name: str
    recipient_email: str
    external_id: str
    metadata: Mapping[str, str]
    created_after: datetime
    created_before: datetime
    updated_after: datetime
    updated_before: datetime
    sort_by: Literal["createdAt", "updatedAt", "completedDate", "name"]
    sort_order: Literal["asc", "desc"]


class TemplateFilters(TypedDict, total=False):
    """Templates in one of these statuses; by default active ones."""

    status: str | Sequence[str]


def query_of(filters: Mapping[str, object], limit: int, offset: int) -> dict[str, str]:
    """Returns the query parameters of a list.

    Raises:
        ValueError: a time has no time zone.
    """
    given = {**filters, "limit": limit, "offset": offset}
    query: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            query |= {f"{to_camel(name)}[{key}]": _text(one) for key, one in value.items()}
        else:
            query[to_camel(name)] = _text(value)
    return query


def _text(value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone: say which time it is, with timezone.utc for example")
        return rfc3339(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)

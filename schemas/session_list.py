"""Lists of sessions (Specification 4.8)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from domain.session.labels import EXTERNAL_ID, metadata_label
from domain.session.list_query import SessionPage, SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.session import SessionStatus
from schemas.base import KEYED, EmailAddress, ResponseModel
from schemas.pagination import PageQuery, Pagination
from schemas.session_read import SessionListed

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_NO_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*$"
_STATUSES = tuple(status.value for status in SessionStatus)


def _statuses(text: str) -> str:
    unknown = [status for status in text.split(",") if status not in _STATUSES]
    if unknown:
        raise PydanticCustomError(
            "status",
            "There is no status {unknown}; name some of {known}, separated by commas.",
            {"unknown": ", ".join(f"“{status}”" for status in unknown), "known": ", ".join(_STATUSES)},
        )
    return text


def _moment(text: str) -> str:
    _time_in(text)
    return text


def _time_in(text: str) -> datetime:
    """The time that `text` names; a plus sign that was not escaped in the address has become a space."""
    written = text.upper().replace(" ", "+")
    try:
        if _RFC_3339.fullmatch(written):
            return datetime.fromisoformat(written).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError(
        "time",
        "Write a time as RFC 3339 has it, with its zone: 2026-06-12T10:30:00Z or 2026-06-12T12:30:00%2B02:00.",
    )


def _plain(text: str | None) -> str | None:
    if text is not None and not re.fullmatch(_NO_CONTROLS, text):
        raise PydanticCustomError("control_characters", "Remove line breaks and control characters.")
    return text


def _plain_text(longest: int, shortest: int) -> dict[str, str | int]:
    return {"type": "string", "minLength": shortest, "maxLength": longest, "pattern": _NO_CONTROLS}


_ExternalId = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    AfterValidator(_plain),
    WithJsonSchema(_plain_text(200, 1)),
]
_Key = Annotated[
    str, StringConstraints(min_length=1, max_length=40), AfterValidator(_plain), WithJsonSchema(_plain_text(40, 1))
]
_Text = Annotated[str, StringConstraints(max_length=500), AfterValidator(_plain), WithJsonSchema(_plain_text(500, 0))]
_one_of = "|".join(_STATUSES)
_Statuses = Annotated[
    str,
    StringConstraints(max_length=200),
    AfterValidator(_statuses),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^({_one_of})(,({_one_of}))*$",
            "maxLength": 200,
            "examples": ["pending,inProgress"],
        }
    ),
]
_TIME = {"type": "string", "format": "date-time", "examples": ["2026-06-12T10:30:00Z"]}
_Since = Annotated[str, AfterValidator(_moment), WithJsonSchema(_TIME), Field(description="at this time or later")]
_Until = Annotated[str, AfterValidator(_moment), WithJsonSchema(_TIME), Field(description="before this time")]


class SessionListQuery(PageQuery):
    """Which sessions a list is to have: those that match everything that is given."""

    status: Annotated[
        _Statuses | None,
        Field(description="one status or several, separated by commas: `pending,inProgress`; default: all"),
    ] = None
    name: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=50,
            description="any part of the name, in upper or lower case",
            json_schema_extra={"pattern": _NO_CONTROLS},
        ),
        AfterValidator(_plain),
    ] = None
    recipient_email: Annotated[
        EmailAddress | None, Field(description="the address of one of its recipients, whole")
    ] = None
    external_id: Annotated[_ExternalId | None, Field(description="the whole `externalId`")] = None
    metadata: Annotated[
        dict[_Key, _Text],
        Field(
            max_length=20,
            description="sessions with this text as metadata of this key: `metadata[customer]=northwind`",
        ),
    ] = Field(default_factory=dict)
    created_after: _Since | None = None
    created_before: _Until | None = None
    updated_after: _Since | None = None
    updated_before: _Until | None = None
    sort_by: Annotated[
        SortBy,
        Field(
            description="equal ones stand in the order of their identifiers; by `completedDate`, what is not completed "
            "counts as the oldest; `name` is without regard to case, in the order of Unicode"
        ),
    ] = SortBy.UPDATED_AT
    sort_order: SortOrder = SortOrder.DESCENDING

    @model_validator(mode="before")
    @classmethod
    def _gather_metadata(cls, given: object) -> object:
        """An address has a parameter for each key; tools give an object."""
        if not isinstance(given, Mapping):
            return given
        keys = {
            str(name): found[2] for name in given if (found := KEYED.fullmatch(str(name))) and found[1] == "metadata"
        }
        if not keys:
            return given
        others = {name: value for name, value in given.items() if name not in keys}
        return {**others, "metadata": {key: given[name] for name, key in keys.items()}}

    def query(self) -> SessionQuery:
        """The question in the words of the domain."""
        statuses = self.status.split(",") if self.status else ()
        external = {} if self.external_id is None else {EXTERNAL_ID: self.external_id}
        return SessionQuery(
            statuses=frozenset(SessionStatus(status) for status in statuses),
            name=self.name,
            recipient_email=self.recipient_email,
            labels={**external, **{metadata_label(key): value for key, value in self.metadata.items()}},
            created=_span(self.created_after, self.created_before),
            updated=_span(self.updated_after, self.updated_before),
            sort_by=self.sort_by,
            sort_order=self.sort_order,
            limit=self.limit,
            offset=self.offset,
        )


def _span(start: str | None, end: str | None) -> TimeRange:
    return TimeRange(_time_in(start) if start else None, _time_in(end) if end else None)


class SessionsRead(ResponseModel):
    """A stretch of the organisation's sessions, in the order that was asked for."""

    sessions: tuple[SessionListed, ...]
    pagination: Pagination

    @classmethod
    def from_page(cls, page: SessionPage, wanted: SessionListQuery, base_url: str) -> Self:
        shown = tuple(SessionListed.from_snapshot(session, base_url) for session in page.sessions)
        has_more = wanted.offset + len(shown) < page.total
        pagination = Pagination(total=page.total, limit=wanted.limit, offset=wanted.offset, has_more=has_more)
        return cls(sessions=shown, pagination=pagination)

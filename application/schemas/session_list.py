"""Lists of sessions (Specification 4.8)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from application.schemas.base import KEYED, EmailAddress, PageQuery, Pagination, ResponseModel, known_statuses
from application.schemas.session_read import SessionListed
from domain.session.labels import EXTERNAL_ID, metadata_label
from domain.session.list_query import SessionPage, SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.status import SessionStatus

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_NO_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*$"


def _checked_time(text: str) -> str:
    _time_in(text)
    return text


def _time_in(text: str) -> datetime:
    """Parses a time. A plus sign that was not escaped in the URL arrives as a space."""
    written = text.upper().replace(" ", "+")
    try:
        if _RFC_3339.fullmatch(written):
            return datetime.fromisoformat(written).astimezone(UTC)
    except (ValueError, OverflowError):
        # A time that does not exist gets the same advice as one in another format.
        pass
    raise PydanticCustomError(
        "time", "Write a time as RFC 3339 has it, with its zone: 2026-06-12T10:30:00Z or 2026-06-12T12:30:00%2B02:00."
    )


def _plain(text: str | None) -> str | None:
    if text is not None and not re.fullmatch(_NO_CONTROLS, text):
        raise PydanticCustomError("control_characters", "Remove line breaks and control characters.")
    return text


_PLAIN = AfterValidator(_plain)
_PATTERN = Field(json_schema_extra={"pattern": _NO_CONTROLS})
_ExternalId = Annotated[str, Field(min_length=1, max_length=200), _PATTERN, _PLAIN]
_Key = Annotated[str, Field(min_length=1, max_length=40), _PATTERN, _PLAIN]
_Value = Annotated[str, Field(max_length=500), _PATTERN, _PLAIN]


_PAIR = re.compile("^[^{:][^:]*:")
"""Matches key and colon. A key in braces is an object in JSON, which would match no session."""


def _pairs(given: object) -> object:
    """Returns metadata as pairs of key and value: of an object, or of texts such as `customer:northwind`."""
    if isinstance(given, Mapping):
        return tuple(given.items())
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) and _PAIR.match(text) for text in texts):
        raise PydanticCustomError(
            "metadata", "Write key and value as customer:northwind, or metadata[customer]=northwind."
        )
    pairs = tuple(tuple(text.split(":", 1)) for text in texts)
    if len({key for key, _ in pairs}) < len(pairs):
        raise PydanticCustomError("metadata", "Give each key once.")
    return pairs


_METADATA = {"type": "array", "items": {"type": "string", "maxLength": 541, "pattern": _PAIR.pattern}, "maxItems": 20}
_Metadata = Annotated[
    tuple[tuple[_Key, _Value], ...], Field(max_length=20), BeforeValidator(_pairs), WithJsonSchema(_METADATA)
]
_TIME = {"type": "string", "format": "date-time", "examples": ["2026-06-12T10:30:00Z"]}
_Time = Annotated[str, AfterValidator(_checked_time), WithJsonSchema(_TIME)]


class SessionListQuery(PageQuery):
    """The query of a list of sessions. It finds the sessions that match all members."""

    status: Annotated[tuple[SessionStatus, ...], known_statuses(SessionStatus)] = Field(
        (),
        min_length=1,
        max_length=50,
        description="Statuses, separated by commas. Default: all.",
        examples=[["pending", "inProgress"]],
    )
    name: Annotated[str, Field(min_length=1, max_length=50), _PATTERN, _PLAIN] | None = Field(
        None, description="Part of the name, in upper or lower case."
    )
    recipient_email: EmailAddress | None = Field(None, description="Email address of a recipient.")
    external_id: _ExternalId | None = Field(None, description="The `externalId`.")
    metadata: _Metadata = Field(
        (),
        description="`metadata`, key and value with a colon between them: `metadata=customer:northwind`, repeated for "
        "several. A key that has a colon itself is written in brackets: `metadata[a:b]=northwind`.",
        examples=[["customer:northwind"]],
    )
    created_after: _Time | None = Field(None, description="Earliest time of creation.")
    created_before: _Time | None = Field(None, description="Time before which the session was created.")
    updated_after: _Time | None = Field(None, description="Earliest time of the latest change.")
    updated_before: _Time | None = Field(None, description="Time before which the session last changed.")
    sort_by: SortBy = Field(SortBy.UPDATED_AT, description="Sort key. Equal sessions are sorted by their identifiers.")
    sort_order: SortOrder = Field(SortOrder.DESCENDING, description="Sort order.")

    @model_validator(mode="before")
    @classmethod
    def _gather_metadata(cls, given: object) -> object:
        """Returns the input with the metadata parameters of a URL, one for each key, as one object."""
        if not isinstance(given, Mapping):
            return given
        keys = {
            str(name): found[2] for name in given if (found := KEYED.fullmatch(str(name))) and found[1] == "metadata"
        }
        if not keys:
            return given
        others = {name: value for name, value in given.items() if name not in keys}
        in_brackets = {key: given[name] for name, key in keys.items()}
        plain = _pairs(others.get("metadata", ()))
        return {**others, "metadata": {**dict(plain), **in_brackets} if isinstance(plain, tuple) else plain}

    def query(self) -> SessionQuery:
        """Returns the query as an object of the domain."""
        external = {} if self.external_id is None else {EXTERNAL_ID: self.external_id}
        return SessionQuery(
            statuses=frozenset(self.status),
            name=self.name,
            recipient_email=self.recipient_email,
            labels={**external, **{metadata_label(key): value for key, value in self.metadata}},
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
    """A page of the organisation's sessions, in the requested order."""

    sessions: tuple[SessionListed, ...] = Field(description="Sessions of the page, without their files.")
    pagination: Pagination = Field(description="Position of the page in the list.")

    @classmethod
    def from_page(cls, page: SessionPage, query: SessionListQuery, base_url: str) -> Self:
        shown = tuple(SessionListed.from_snapshot(session, base_url) for session in page.sessions)
        return cls(sessions=shown, pagination=Pagination.of(page.total, query.limit, query.offset))

"""The query of a list of sessions (Specification 4.8)."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.session.session import Session
from domain.session.snapshot import SessionStatus


class SortBy(StrEnum):
    """Equal sessions are ordered by identifier."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    COMPLETED_DATE = "completedDate"  # incomplete sessions come before completed ones
    NAME = "name"  # `casefolded`, by code points


class SortOrder(StrEnum):
    ASCENDING = "asc"
    DESCENDING = "desc"


class TimeRange(NamedTuple):
    """A time range from `start` to before `end`. None means no bound."""

    start: datetime | None = None
    end: datetime | None = None

    @property
    def is_bounded(self) -> bool:
        return self.start is not None or self.end is not None

    def holds(self, at: datetime) -> bool:
        return (self.start is None or at >= self.start) and (self.end is None or at < self.end)


ANY_TIME = TimeRange()


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """A query for the sessions that match all its members. Empty `statuses` match all.

    `name` is any part of a session's name, `recipient_email` the whole address of a recipient in lower case, `labels`
    whole values of labels (`domain.session.labels`).
    """

    statuses: frozenset[SessionStatus] = frozenset()
    name: str | None = None
    recipient_email: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    created: TimeRange = ANY_TIME
    updated: TimeRange = ANY_TIME
    sort_by: SortBy = SortBy.UPDATED_AT
    sort_order: SortOrder = SortOrder.DESCENDING
    limit: int = 50
    offset: int = 0


class SessionPage(NamedTuple):
    """A page of the list, and the total number of matching sessions."""

    sessions: tuple[Session, ...]
    total: int


def casefolded(text: str) -> str:
    """Returns `text` for Unicode's caseless matching (NFKC, full case folding): "STRASSE" equals "straße"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold()).casefold()
    return unicodedata.normalize("NFKC", folded)

"""Which sessions of an organisation are asked for, in which order (Specification 4.8)."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.session.session import Session
from domain.session.state import SessionStatus


class SortBy(StrEnum):
    """By what sessions are put in order. Equal ones are in the order of their identifiers."""

    CREATED_AT = "createdAt"
    UPDATED_AT = "updatedAt"
    COMPLETED_DATE = "completedDate"  # sessions that nobody has completed come before those that are
    NAME = "name"  # as `casefolded`, by the numbers of its characters


class SortOrder(StrEnum):
    """The first or the last one first."""

    ASCENDING = "asc"
    DESCENDING = "desc"


class TimeRange(NamedTuple):
    """A stretch of time: from `start` on, up to but not including `end`. None is without a bound."""

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
    """What is asked for: sessions that match everything given. No `statuses` are all of them.

    `name` is any part of a session's name, `recipient_email` the whole address of one of its recipients, in lower case,
    `labels` some of its labels (`domain.session.labels`) with their whole values.
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
    """`limit` sessions from `offset` on, and how many match in all."""

    sessions: tuple[Session, ...]
    total: int


def casefolded(text: str) -> str:
    """`text` in the form in which names are compared: without case, and without variants of one character.

    That is Unicode's caseless matching (NFKC, full case folding): "STRASSE" is "straße", "ﬁ" is "fi".
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold()).casefold()
    return unicodedata.normalize("NFKC", folded)

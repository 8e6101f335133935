"""The query of a list of sessions (Specification 4.8), which `adapters.database.repositories.session_list` runs.

Search texts and search terms are casefolded in the same way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import UserId
from domain.texts.combining_marks import normalized
from domain.texts.described_enum import DescribedEnum

MIN_PART = 3
"""Minimum number of characters of a part that the trigram index can find."""


def casefolded(text: str) -> str:
    """Returns `text` for Unicode's caseless matching (NFKC, full case folding): "STRASSE" equals "straße"."""
    folded = normalized("NFKC", normalized("NFD", text).casefold()).casefold()
    return normalized("NFKC", folded)


def is_searchable(text: str) -> bool:
    """Returns whether sessions can be searched by `text`: it has at least two characters."""
    return len(casefolded(text)) >= MIN_PART - 1


def people_of(session: Session) -> str:
    """Returns the casefolded names and addresses of the recipients, each after a line feed."""
    texts = (text for recipient in session.recipients for text in (recipient.name, recipient.email) if text)
    return "".join(f"\n{casefolded(text)}" for text in texts)


class SortBy(DescribedEnum):
    """Sort key of sessions. Equal sessions are sorted by their identifiers."""

    CREATED_AT = "createdAt", "time of creation"
    UPDATED_AT = "updatedAt", "time of the latest change"
    COMPLETED_DATE = (
        "completedDate",
        "time at which the last recipient signed; sessions that are not completed count as oldest",
    )
    NAME = "name", "name, in the order of Unicode and regardless of case"


class SortOrder(DescribedEnum):
    """Sort order."""

    ASCENDING = "asc", "lowest, oldest or A first"
    DESCENDING = "desc", "highest, newest or Z first"


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


MAX_COUNTED = 10_000
"""Maximum number of matches of a search that are counted."""


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """A query for the sessions that match all its members. Empty `statuses` match every status.

    `name` matches any part of a session's name, `recipient_email` the whole address of a recipient (lower case), and
    `labels` whole values of labels (`domain.session.labels`). `search` must be `is_searchable`. It matches any part of
    the session's name, or of the name or address of a recipient; with fewer than `MIN_PART` characters, only the
    beginning of one of these.
    """

    statuses: frozenset[SessionStatus] = frozenset()
    name: str | None = None
    search: str | None = None
    recipient_email: str | None = None
    owner: UserId | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    created: TimeRange = ANY_TIME
    updated: TimeRange = ANY_TIME
    sort_by: SortBy = SortBy.UPDATED_AT
    sort_order: SortOrder = SortOrder.DESCENDING
    limit: int = 50
    offset: int = 0


class SessionPage(NamedTuple):
    """A page of the list, and the total number of matching sessions; of a search, at most `MAX_COUNTED` + 1."""

    sessions: tuple[Session, ...]
    total: int

"""Tabs, filters and sort orders of the session list, parsed from its query."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request

from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.search_text import is_searchable
from domain.session.status import SessionStatus

PER_PAGE = 25
_MAX_PAGE = 100_000
_MAX_SEARCH = 320

_S = SessionStatus
STATUS_TABS: Mapping[str, frozenset[SessionStatus]] = {
    "all": frozenset(SessionStatus) - {_S.CANCELLED},
    "drafts": frozenset({_S.DRAFT}),
    "waiting": frozenset({_S.PENDING, _S.IN_PROGRESS}),
    "done": frozenset({_S.COMPLETED, _S.COMPLETED_AND_GENERATED}),
    "ended": frozenset({_S.DECLINED, _S.EXPIRED}),
    "archived": frozenset({_S.CANCELLED}),
}
"""The statuses of each tab. Archived sessions have a tab of their own."""

SORTS: Mapping[str, tuple[SortBy, SortOrder]] = {
    "changed": (SortBy.UPDATED_AT, SortOrder.DESCENDING),
    "unchanged": (SortBy.UPDATED_AT, SortOrder.ASCENDING),
    "newest": (SortBy.CREATED_AT, SortOrder.DESCENDING),
    "oldest": (SortBy.CREATED_AT, SortOrder.ASCENDING),
    "completed": (SortBy.COMPLETED_DATE, SortOrder.DESCENDING),
    "name": (SortBy.NAME, SortOrder.ASCENDING),
    "name-back": (SortBy.NAME, SortOrder.DESCENDING),
}

_HEADS: Mapping[str, tuple[str, str]] = {"session": ("name", "name-back"), "changed": ("changed", "unchanged")}
"""The sort orders of a column: the one that its head selects first, and the reverse."""


class SortHead(NamedTuple):
    """The head of a column: its `aria-sort`, and the address of the list that a click on it opens."""

    aria_sort: str
    address: str


@dataclass(frozen=True, slots=True)
class ListFilters:
    """The filters in the query. Invalid ones are ignored."""

    tab: str
    sort: str
    search: str
    since: str
    until: str
    page: int

    @staticmethod
    def of(request: Request) -> "ListFilters":
        query = request.query_params
        tab, sort, page = query.get("tab", ""), query.get("sort", ""), query.get("page", "")
        return ListFilters(
            tab=tab if tab in STATUS_TABS else "all",
            sort=sort if sort in SORTS else "changed",
            search="".join(c for c in query.get("search", "") if c.isprintable()).strip()[:_MAX_SEARCH],
            since=query.get("since", "") if _day(query.get("since", "")) else "",
            until=query.get("until", "") if _day(query.get("until", "")) else "",
            page=min(max(int(page), 1), _MAX_PAGE) if page.isascii() and page.isdigit() else 1,
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.search or self.since or self.until)

    @property
    def query(self) -> SessionQuery:
        sort_by, sort_order = SORTS[self.sort]
        last = _day(self.until)
        return SessionQuery(
            statuses=STATUS_TABS[self.tab],
            # A single character is searched for in names only: the search index cannot find it.
            name=None if is_searchable(self.search) else self.search or None,
            search=self.search if is_searchable(self.search) else None,
            created=TimeRange(_day(self.since), last + timedelta(days=1) if last else None),
            sort_by=sort_by,
            sort_order=sort_order,
            limit=PER_PAGE,
            offset=(self.page - 1) * PER_PAGE,
        )

    def address(self, **changes: str | int) -> str:
        """Returns the address of the list with these filters and `changes`, on the first page by default."""
        members = {
            "tab": self.tab if self.tab != "all" else "",
            "search": self.search,
            "since": self.since,
            "until": self.until,
            "sort": self.sort if self.sort != "changed" else "",
        }
        parameters = {name: value for name, value in {**members, **changes}.items() if value}
        return f"/app?{urlencode(parameters)}" if parameters else "/app"

    def heads(self) -> Mapping[str, SortHead]:
        """Returns the heads of the columns that sort."""
        return {column: self._head(*orders) for column, orders in _HEADS.items()}

    def _head(self, first: str, other: str) -> SortHead:
        if self.sort not in (first, other):
            return SortHead("none", self.address(sort=first))
        is_ascending = SORTS[self.sort][1] is SortOrder.ASCENDING
        turned = other if self.sort == first else first
        return SortHead("ascending" if is_ascending else "descending", self.address(sort=turned))


def _day(text: str) -> datetime | None:
    """Returns the start of that day in UTC; None for text that is no date from 2000 to 2999."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime.combine(day, time(), UTC) if 2000 <= day.year <= 2999 else None

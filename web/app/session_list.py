"""The session list, with its tabs, filters and sort orders, which are parsed from its query."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request, Response

from domain.session.list_query import MAX_COUNTED, SessionQuery, SortBy, SortOrder, TimeRange, is_searchable
from domain.session.status import SessionStatus
from domain.shared.ids import UserId
from domain.shared.whole_numbers import read_whole_number
from web.app.app_router import app_router
from web.app.bulk_actions import read_bulk_result
from web.app.current_user import CurrentUser
from web.app.responses import flash_message_of
from web.app.session_rows import SessionRowView
from web.asgi.dependencies import InjectedServices
from web.html_response import render
from web.page_route import READ

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
    is_mine: bool
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
            is_mine=query.get("mine") == "1",
            until=query.get("until", "") if _day(query.get("until", "")) else "",
            page=min(read_whole_number(page) or 1, _MAX_PAGE),
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.search or self.since or self.until or self.is_mine)

    def query(self, user_id: UserId) -> SessionQuery:
        """Returns the query of the page for a user."""
        sort_by, sort_order = SORTS[self.sort]
        last = _day(self.until)
        return SessionQuery(
            statuses=STATUS_TABS[self.tab],
            # A single character is searched for in names only: the search index cannot find it.
            name=None if is_searchable(self.search) else self.search or None,
            search=self.search if is_searchable(self.search) else None,
            owner=user_id if self.is_mine else None,
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
            "mine": "1" if self.is_mine else "",
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


router = app_router()


@router.api_route("", methods=READ)
async def show_sessions(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    filters, now = ListFilters.of(request), datetime.now(UTC)
    counts = await services.rows.count_sessions(person.organisation_id)
    page = await services.rows.list_sessions(person.organisation_id, filters.query(person.user.user_id))
    return render(
        "app/sessions.html",
        person=person,
        filters=filters,
        tabs=[
            (key, sum(counts.get(status, 0) for status in statuses), filters.address(tab=key if key != "all" else ""))
            for key, statuses in STATUS_TABS.items()
        ],
        heads=filters.heads(),
        rows=[SessionRowView.of(session, now) for session in page.sessions],
        now=now,
        total=page.total,
        most_counted=MAX_COUNTED,
        pages=max(1, -(-page.total // PER_PAGE)),
        has_any=bool(counts),
        flash=flash_message_of(request),
        result=await read_bulk_result(services, person, request),
    )

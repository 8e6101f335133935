"""The session list: filters in the query, tabs by status, and a row for each session."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode

from fastapi import Request, Response
from pydantic import TypeAdapter, ValidationError

from asgi.dependencies import InjectedServices
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.snapshot import SessionStatus
from domain.session.waiting_for import waiting_sentence
from schemas.base import EmailAddress
from web.app.current_user import CurrentUser
from web.app.responses import app_router, flash_message_of
from web.html_response import render
from web.page_route import READ

router = app_router()

PER_PAGE = 25
_MAX_PAGE = 100_000
_MAX_NAME = 50

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
    "newest": (SortBy.CREATED_AT, SortOrder.DESCENDING),
    "oldest": (SortBy.CREATED_AT, SortOrder.ASCENDING),
    "completed": (SortBy.COMPLETED_DATE, SortOrder.DESCENDING),
    "name": (SortBy.NAME, SortOrder.ASCENDING),
}

_ADDRESS: TypeAdapter[str] = TypeAdapter(EmailAddress)


@dataclass(frozen=True, slots=True)
class ListFilters:
    """The filters in the query. Invalid ones are ignored, but a `problem` is the text that is no email address."""

    tab: str
    sort: str
    name: str
    email: str
    since: str
    until: str
    page: int
    problem: str

    @staticmethod
    def of(request: Request) -> "ListFilters":
        query = request.query_params
        tab, sort, page = query.get("tab", ""), query.get("sort", ""), query.get("page", "")
        email = query.get("recipient", "").strip()[:320]
        return ListFilters(
            tab=tab if tab in STATUS_TABS else "all",
            sort=sort if sort in SORTS else "changed",
            name="".join(c for c in query.get("name", "") if c.isprintable()).strip()[:_MAX_NAME],
            email=email,
            since=query.get("since", "") if _day(query.get("since", "")) else "",
            until=query.get("until", "") if _day(query.get("until", "")) else "",
            page=min(max(int(page), 1), _MAX_PAGE) if page.isascii() and page.isdigit() else 1,
            problem=email if email and _address(email) is None else "",
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.name or self.email or self.since or self.until)

    @property
    def query(self) -> SessionQuery:
        sort_by, sort_order = SORTS[self.sort]
        last = _day(self.until)
        return SessionQuery(
            statuses=STATUS_TABS[self.tab],
            name=self.name or None,
            recipient_email=_address(self.email),
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
            "name": self.name,
            "recipient": self.email,
            "since": self.since,
            "until": self.until,
            "sort": self.sort if self.sort != "changed" else "",
        }
        parameters = {name: value for name, value in {**members, **changes}.items() if value}
        return f"/app?{urlencode(parameters)}" if parameters else "/app"


def _day(text: str) -> datetime | None:
    """Returns the start of that day in UTC; None for text that is no date from 2000 to 2999."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime.combine(day, time(), UTC) if 2000 <= day.year <= 2999 else None


def _address(text: str) -> str | None:
    try:
        return _ADDRESS.validate_python(text) if text else None
    except ValidationError:
        return None


@router.api_route("", methods=READ)
async def show_sessions(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    filters = ListFilters.of(request)
    counts = await services.rows.count_sessions(person.organisation_id)
    page = await services.rows.list_sessions(person.organisation_id, filters.query)
    return render(
        "app/sessions.html",
        person=person,
        filters=filters,
        tabs=[
            (key, sum(counts.get(status, 0) for status in statuses), filters.address(tab=key if key != "all" else ""))
            for key, statuses in STATUS_TABS.items()
        ],
        rows=[(session, waiting_sentence(session)) for session in page.sessions],
        total=page.total,
        pages=max(1, -(-page.total // PER_PAGE)),
        has_any=bool(counts),
        flash=flash_message_of(request),
    )

"""The session list: filters in the query, tabs by status, and a row for each session."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode

from fastapi import Request, Response
from pydantic import TypeAdapter, ValidationError

from application.services import Services
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.snapshot import SessionStatus
from domain.session.waiting_for import Sentence, waiting_sentence
from schemas.base import EmailAddress
from web.app.current_user import SignedInUser
from web.app.flash import flash_message_of
from web.rendering import render

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

STATE_CLASSES: Mapping[SessionStatus, str] = {
    _S.DRAFT: "draft",
    _S.PENDING: "busy",
    _S.IN_PROGRESS: "busy",
    _S.COMPLETED: "good",
    _S.COMPLETED_AND_GENERATED: "good",
    _S.DECLINED: "bad",
    _S.EXPIRED: "bad",
    _S.CANCELLED: "still",
}
"""CSS classes."""

_ADDRESS: TypeAdapter[str] = TypeAdapter(EmailAddress)


@dataclass(frozen=True, slots=True)
class ListFilters:
    """The filters in the query. Invalid dates and unknown words are ignored.

    `email` is the text as typed; `problem` is the same text if it is no email address.
    """

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
        asked = request.query_params
        tab, sort, page = asked.get("tab", ""), asked.get("sort", ""), asked.get("page", "")
        email = asked.get("recipient", "").strip()[:320]
        return ListFilters(
            tab=tab if tab in STATUS_TABS else "all",
            sort=sort if sort in SORTS else "changed",
            name="".join(c for c in asked.get("name", "") if c.isprintable()).strip()[:_MAX_NAME],
            email=email,
            since=asked.get("since", "") if _day(asked.get("since", "")) else "",
            until=asked.get("until", "") if _day(asked.get("until", "")) else "",
            page=min(max(int(page), 1), _MAX_PAGE) if page.isascii() and page.isdigit() else 1,
            problem=email if email and _address(email) is None else "",
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.name or self.email or self.since or self.until)

    @property
    def query(self) -> SessionQuery:
        """The query of the domain for these filters."""
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
        kept = {name: value for name, value in {**members, **changes}.items() if value}
        return f"/app?{urlencode(kept)}" if kept else "/app"


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


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A row of the list. `people` are the first two recipients, `others` the number of the rest."""

    session: Session
    css_class: str
    people: tuple[str, ...]
    others: int
    signed: int
    waiting_for: Sentence

    @staticmethod
    def of(session: Session) -> "SessionRow":
        names = [recipient.name or recipient.email for recipient in session.recipients]
        return SessionRow(
            session=session,
            css_class=STATE_CLASSES[session.status],
            people=tuple(names[:2]),
            others=len(names[2:]),
            signed=sum(recipient.status is RecipientStatus.COMPLETED for recipient in session.recipients),
            waiting_for=waiting_sentence(session),
        )


async def show_sessions(request: Request, services: Services, person: SignedInUser) -> Response:
    """Shows the sessions that match the filters, with the number of sessions in each tab."""
    filters = ListFilters.of(request)
    counts = await services.rows.count_sessions(person.organisation_id)
    page = await services.rows.list_sessions(person.organisation_id, filters.query)
    return render(
        "app/sessions.html",
        person=person,
        filters=filters,
        tabs=tuple(_tabs(filters, counts)),
        rows=tuple(map(SessionRow.of, page.sessions)),
        total=page.total,
        pages=max(1, -(-page.total // PER_PAGE)),
        has_any=bool(counts),
        flash=flash_message_of(request),
    )


@dataclass(frozen=True, slots=True)
class StatusTab:
    key: str
    count: int
    address: str
    is_shown: bool


def _tabs(filters: ListFilters, counts: Mapping[SessionStatus, int]) -> Iterator[StatusTab]:
    for key, statuses in STATUS_TABS.items():
        count = sum(counts.get(status, 0) for status in statuses)
        address = filters.address(tab=key if key != "all" else "")
        yield StatusTab(key, count, address, is_shown=key == filters.tab)

"""The session list: a row for each session."""

from datetime import UTC, datetime

from fastapi import Request, Response

from asgi.dependencies import InjectedServices
from domain.session.list_query import MOST_COUNTED
from web.app.app_router import app_router
from web.app.bulk_actions import read_bulk_result
from web.app.current_user import CurrentUser
from web.app.responses import flash_message_of
from web.app.session_rows import SHOWN_PEOPLE, SessionRowView
from web.app.session_tabs_and_filters import PER_PAGE, STATUS_TABS, ListFilters
from web.html_response import render
from web.page_route import READ

router = app_router()


@router.api_route("", methods=READ)
async def show_sessions(request: Request, services: InjectedServices, person: CurrentUser) -> Response:
    filters, now = ListFilters.of(request), datetime.now(UTC)
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
        heads=filters.heads(),
        rows=[SessionRowView.of(session, now) for session in page.sessions],
        shown_people=SHOWN_PEOPLE,
        now=now,
        total=page.total,
        most_counted=MOST_COUNTED,
        pages=max(1, -(-page.total // PER_PAGE)),
        has_any=bool(counts),
        flash=flash_message_of(request),
        result=await read_bulk_result(services, person, request),
    )

"""Lists of sessions over HTTP (Specification 4.8, 10.4); what is found,
`tests/adapters/database/repositories/test_session_list.py` says.
"""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from domain.session.session import Session
from domain.shared.times import rfc3339
from tests.api.service import STRANGER, Service, issues_by_path
from tests.builders import NOON, audit, created, recipient

SESSIONS = "/api/v1/Sessions"


async def ask(service: Service, **query: Any) -> httpx.Response:
    return await service.http().get(SESSIONS, params=query)


async def names(service: Service, **query: Any) -> list[str]:
    answer = await ask(service, **query)
    assert answer.status_code == 200, answer.text
    return [session["name"] for session in answer.json()["sessions"]]


async def recorded(service: Service, name: str, hours: int = 0, **changes: Any) -> Session:
    """A session that was made and changed so many hours after noon."""
    at = NOON + timedelta(hours=hours)
    session = created(recipient("ada"), recipient(name.lower()), name=name).session
    session = session.model_copy(update={"created_at": at, "updated_at": at, **changes})
    await service.rows.record(session, ())
    return session


async def test_a_row_is_what_get_session_shows_without_the_files(service: Service) -> None:
    made = await service.create(sendImmediately=True, callbackUrl="https://example.com/callbacks", expiryDays=3)

    answer = (await ask(service)).json()

    read = (await service.http().get(f"/api/v1/Session/{made['sessionId']}")).json()
    del read["files"]
    assert answer == {"sessions": [read], "pagination": {"total": 1, "limit": 50, "offset": 0, "hasMore": False}}


async def test_an_organisation_without_sessions_has_an_empty_list(service: Service) -> None:
    await service.create()
    answer = (await service.http(STRANGER).get(SESSIONS)).json()
    assert answer == {"sessions": [], "pagination": {"total": 0, "limit": 50, "offset": 0, "hasMore": False}}


async def test_what_is_deleted_is_in_no_list_and_what_is_archived_is(service: Service) -> None:
    kept, gone = await service.create(name="kept"), await service.create(name="gone")
    await service.http().delete(f"/api/v1/Session/{kept['sessionId']}")
    await service.http().delete(f"/api/v1/Session/{gone['sessionId']}?permanent=true")

    assert await names(service) == ["kept"]
    assert await names(service, status="cancelled") == ["kept"]


async def test_the_latest_change_comes_first_unless_another_order_is_asked_for(service: Service) -> None:
    for number, name in enumerate(("Beta", "alpha", "Gamma")):
        await recorded(service, name, number, completed_at=NOON - timedelta(hours=number))

    assert await names(service) == ["Gamma", "alpha", "Beta"]
    assert await names(service, sortOrder="asc") == ["Beta", "alpha", "Gamma"]
    assert await names(service, sortBy="createdAt", sortOrder="asc") == ["Beta", "alpha", "Gamma"]
    assert await names(service, sortBy="completedDate") == ["Beta", "alpha", "Gamma"]
    assert await names(service, sortBy="name", sortOrder="asc") == ["alpha", "Beta", "Gamma"]


async def test_filters_narrow_the_list(service: Service) -> None:
    for number, name in enumerate(("Beta", "Alpha", "Ärger")):
        await recorded(service, name, number)
    sent = created(recipient("grace"), name="Sent").session.send(audit()).session
    await service.rows.record(sent, ())

    assert await names(service, status="pending") == ["Sent"]
    assert await names(service, status="draft,pending", name="a", sortBy="name") == ["Beta", "Alpha"]
    assert await names(service, status=["draft", "pending"], name="a", sortBy="name") == ["Beta", "Alpha"]
    assert await names(service, name="ärg") == ["Ärger"]
    assert await names(service, recipientEmail="GRACE@example.com") == ["Sent"]
    assert await names(service, recipientEmail="ada@example.com", createdAfter="2026-06-12T13:00:00Z") == [
        "Ärger",
        "Alpha",
    ]
    assert await names(service, createdBefore="2026-06-12T13:00:00.000Z", status="draft") == ["Beta"]
    assert await names(service, updatedAfter="2026-06-12T14:00:00.001Z") == []
    assert await names(service, updatedBefore="2026-06-12T14:00:00.001Z", updatedAfter=rfc3339(NOON), name="ä") == [
        "Ärger"
    ]


@pytest.mark.parametrize(
    "written",
    [
        "2026-06-12T23:00:00%2B10:00", "2026-06-12T23:00:00+10:00", "2026-06-12T08:00:00.000000-05:00",
        "2026-06-12t13:00:00z",
    ],
)  # fmt: skip
async def test_times_may_have_any_offset(service: Service, written: str) -> None:
    await recorded(service, "Before")
    await recorded(service, "After", 1)
    answer = await service.http().get(f"{SESSIONS}?createdAfter={written}")
    assert [session["name"] for session in answer.json()["sessions"]] == ["After"]


async def test_pages_follow_each_other_without_gap_or_overlap(service: Service) -> None:
    for number in range(7):
        await recorded(service, f"Agreement {number}")

    pages = [(await ask(service, limit=3, offset=offset)).json() for offset in (0, 3, 6, 9)]

    assert [page["pagination"] for page in pages] == [
        {"total": 7, "limit": 3, "offset": offset, "hasMore": offset < 4} for offset in (0, 3, 6, 9)
    ]
    found = [session["sessionId"] for page in pages for session in page["sessions"]]
    assert len(found) == len(set(found)) == 7


BAD = {
    "status": ["", "open", "draft,", "draft, pending", "deleted", "Draft"], "name": ["", "x" * 51, "a\nb", "a\0b"],
    "recipientEmail": ["", "ada", "ada@", "@example.com"],
    "createdAfter": ["", "yesterday", "2026-06-12", "2026-06-12T10:30:00", "1781000000", "2026-02-30T00:00:00Z"],
    "createdBefore": ["0001-01-01T00:00:00+14:00", "2026-06-12T24:30:00Z"],
    "updatedAfter": ["9999-12-31T23:59:59-14:00", "2026-06-12T10:30:00+25:00"],
    "updatedBefore": ["2026-06-12T10:30:00.Z"], "sortBy": ["", "status", "created_at"],
    "sortOrder": ["", "down", "ASC"], "limit": ["", "0", "101", "-1", "ten", "1.5", "9" * 30],
    "offset": ["", "-1", "x", "9" * 30], "colour": ["red"], "created_after": ["2026-06-12T10:30:00Z"],
}  # fmt: skip


@pytest.mark.parametrize(("parameter", "value"), [(name, value) for name, values in BAD.items() for value in values])
async def test_a_bad_value_is_refused_where_it_stands(service: Service, parameter: str, value: str) -> None:
    answer = await service.http().get(f"{SESSIONS}?{parameter}={quote(value)}")

    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST")
    (issue,) = answer.json()["issues"]
    assert issue["path"] == f"/{parameter}"
    assert issue["message"].endswith(".")


async def test_all_bad_values_are_listed(service: Service) -> None:
    answer = await ask(service, **{name: values[-1] for name, values in BAD.items()})
    assert issues_by_path(answer).keys() == {f"/{name}" for name in BAD}


@pytest.mark.parametrize("value", ["1", "100"])
async def test_the_bounds_of_a_page_are_within_it(service: Service, value: str) -> None:
    assert (await ask(service, limit=value)).status_code == 200


async def test_the_longest_name_can_be_asked_for(service: Service) -> None:
    await recorded(service, "x" * 50)
    assert await names(service, name="X" * 50) == ["x" * 50]


async def test_unknown_parameters_of_a_history_are_refused_too(service: Service) -> None:
    session = await service.create()
    answer = await service.http().get(f"/api/v1/Session/{session['sessionId']}/Events?page=2&limit=0")
    assert issues_by_path(answer).keys() == {"/page", "/limit"}

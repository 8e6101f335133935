"""Lists of sessions, alike in SQLite and in PostgreSQL (Specification 4.8)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories import session_list, session_search
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.ports.database import SessionRows
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.ids import OrganisationId, SessionId
from tests.builders import NOON, ORGANISATION, created, identifier, recipient

STRANGER = OrganisationId(identifier("stranger"))
HOUR = timedelta(hours=1)

NAMES = {
    "lease": "Lease of a flat in Genève",
    "strasse": "Mietvertrag Hauptstraße 7",
    "order": 'Order 100% "as is" _today_',
    "offer": "ΠΡΟΣΦΟΡΆ για την Αθήνα",
    "nda": "NDA",
    "contract": "业务合同 2026",
}
STATUSES = {
    "lease": SessionStatus.COMPLETED_AND_GENERATED,
    "strasse": SessionStatus.PENDING,
    "order": SessionStatus.COMPLETED,
    "offer": SessionStatus.PENDING,
    "nda": SessionStatus.DRAFT,
    "contract": SessionStatus.CANCELLED,
}


def session(key: str, number: int) -> Session:
    """One of the sessions, made at that hour after noon; completed two days later, the later the earlier."""
    status = STATUSES[key]
    completed = status in {SessionStatus.COMPLETED, SessionStatus.COMPLETED_AND_GENERATED}
    recipients = (recipient("ada"), recipient(key, email=f"{key}@Example.com"))
    return created(*recipients, name=NAMES[key]).session.model_copy(
        update={
            "status": status,
            "created_at": NOON + number * HOUR,
            "updated_at": NOON + (10 - number) * HOUR,
            "completed_at": NOON + timedelta(days=2) - number * HOUR if completed else None,
        }
    )


SESSIONS = {key: session(key, number) for number, key in enumerate(NAMES)}
KEYS = {one.session_id: key for key, one in SESSIONS.items()}


@pytest.fixture
async def rows(database: AsyncEngine) -> SessionRows:
    """The sessions above, and one of another organisation that has the name of one of them."""
    rows = DatabaseSessionRows(database)
    foreign = {"organisation_id": STRANGER, "session_id": SessionId(identifier("foreign"))}
    for one in (*SESSIONS.values(), SESSIONS["lease"].model_copy(update=foreign)):
        await rows.record(one, ())
    return rows


@pytest.fixture(params=["few", "many"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each list in both ways: its few matches looked at, or an index walked."""
    for most in ("FEW", "FEW_FOUND"):
        monkeypatch.setattr(session_list, most, 1_000 if request.param == "few" else -1)


async def listed(rows: SessionRows, **query: Any) -> list[str]:
    page = await rows.list_sessions(ORGANISATION, SessionQuery(**query))
    assert page.total == len(page.sessions)
    assert [one for one in page.sessions if one != SESSIONS[KEYS[one.session_id]]] == []
    return [KEYS[one.session_id] for one in page.sessions]


@pytest.mark.parametrize(
    ("sort_by", "ascending"),
    [
        (SortBy.CREATED_AT, ["lease", "strasse", "order", "offer", "nda", "contract"]),
        (SortBy.UPDATED_AT, ["contract", "nda", "offer", "order", "strasse", "lease"]),
        (SortBy.NAME, ["lease", "strasse", "nda", "order", "offer", "contract"]),
    ],
)
async def test_sessions_are_sorted(rows: SessionRows, sort_by: SortBy, ascending: list[str]) -> None:
    assert await listed(rows, sort_by=sort_by, sort_order=SortOrder.ASCENDING) == ascending
    assert await listed(rows, sort_by=sort_by) == ascending[::-1]
    assert await listed(rows) == list(NAMES)  # the latest change first


async def test_sessions_without_completion_are_the_oldest(rows: SessionRows) -> None:
    others = sorted((one.session_id for one in SESSIONS.values() if one.completed_at is None), key=lambda name: name)
    ascending = [*(KEYS[name] for name in others), "order", "lease"]
    assert await listed(rows, sort_by=SortBy.COMPLETED_DATE, sort_order=SortOrder.ASCENDING) == ascending
    assert await listed(rows, sort_by=SortBy.COMPLETED_DATE) == ascending[::-1]


@pytest.mark.parametrize("sort_by", SortBy)
@pytest.mark.parametrize("sort_order", SortOrder)
async def test_statuses_are_merged_in_order(
    rows: SessionRows, sort_by: SortBy, sort_order: SortOrder, few: None
) -> None:
    statuses = {SessionStatus.PENDING, SessionStatus.COMPLETED, SessionStatus.CANCELLED}
    order = {"sort_by": sort_by, "sort_order": sort_order}
    everything = await listed(rows, **order)

    assert await listed(rows, statuses=frozenset(statuses), **order) == [
        key for key in everything if STATUSES[key] in statuses
    ]
    assert await listed(rows, statuses=frozenset(SessionStatus), **order) == everything
    assert await listed(rows, statuses=frozenset({SessionStatus.PENDING}), **order) == [
        key for key in everything if STATUSES[key] is SessionStatus.PENDING
    ]


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("LEASE", ["lease"]),
        ("genÈVE", ["lease"]),
        ("HAUPTSTRASSE", ["strasse"]),
        ("hauptstraße 7", ["strasse"]),
        ("προσφορά", ["offer"]),
        ("ΑΘΉΝΑ", ["offer"]),
        ("合同", ["contract"]),
        ("业务合", ["contract"]),
        ("０２６", ["contract"]),
        ("100%", ["order"]),
        ('"as is"', ["order"]),
        ("_today_", ["order"]),
        ("d%r", []),
        ("o_der", []),
        ("r 7", []),
        ("e 7", ["strasse"]),
        ("nda", ["nda"]),
        ("a", ["lease", "strasse", "order", "nda"]),
        (" ", ["lease", "strasse", "order", "offer", "contract"]),
        ("NOT lease", []),
        ("lease*", []),
    ],
)
async def test_parts_of_names_match_in_any_case(rows: SessionRows, part: str, found: list[str], few: None) -> None:
    assert await listed(rows, name=part) == found


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("genÈVE", ["lease"]),
        ("ADA@EX", list(NAMES)),
        ("der@exam", ["order"]),
        ("strasse", ["strasse"]),
        ("straße@example", ["strasse"]),
        ("le", ["lease"]),
        ("业务", ["contract"]),
        ("合同", []),
        ("da", []),
        ("ad", list(NAMES)),
        ("o%", []),
        ('"as is" _', ["order"]),
        ("name : lease", []),
    ],
)
async def test_a_search_finds_names_and_recipients(rows: SessionRows, part: str, found: list[str], few: None) -> None:
    assert await listed(rows, search=part) == found


async def test_a_search_holds_with_other_filters(rows: SessionRows, few: None) -> None:
    pending = frozenset({SessionStatus.PENDING})
    assert await listed(rows, search="example.com", statuses=pending) == ["strasse", "offer"]
    assert await listed(rows, search="example.com", recipient_email="offer@example.com") == ["offer"]
    assert await listed(rows, search="example.com", created=TimeRange(NOON + 5 * HOUR)) == ["contract"]


async def test_more_matches_of_a_search_than_are_counted_are_listed(
    rows: SessionRows, monkeypatch: pytest.MonkeyPatch, few: None
) -> None:
    monkeypatch.setattr(session_list, "MAX_COUNTED", 2)
    monkeypatch.setattr(session_list, "FEW_FOUND", 2)
    page = await rows.list_sessions(ORGANISATION, SessionQuery(search="example", limit=4))
    assert [KEYS[one.session_id] for one in page.sessions] == list(NAMES)[:4]
    assert page.total == 3


async def test_a_recipient_is_found_by_the_whole_address(rows: SessionRows, few: None) -> None:
    assert await listed(rows, recipient_email="ada@example.com") == list(NAMES)
    assert await listed(rows, recipient_email="offer@example.com") == ["offer"]
    assert await listed(rows, recipient_email="offer@example") == []


async def test_times_filter_from_start_to_end(rows: SessionRows, few: None) -> None:
    def after(hours: int) -> TimeRange:
        return TimeRange(start=NOON + hours * HOUR)

    assert await listed(rows, created=after(4)) == ["nda", "contract"]
    assert await listed(rows, created=TimeRange(end=NOON + HOUR)) == ["lease"]
    assert await listed(rows, created=TimeRange(NOON + HOUR, NOON + 3 * HOUR)) == ["strasse", "order"]
    assert await listed(rows, updated=after(9)) == ["lease", "strasse"]
    assert await listed(rows, created=after(1), updated=after(9), sort_by=SortBy.NAME) == ["strasse"]
    assert await listed(rows, created=after(100)) == []


async def test_all_filters_hold_together(rows: SessionRows, few: None) -> None:
    everything: dict[str, Any] = {
        "statuses": frozenset({SessionStatus.PENDING, SessionStatus.DRAFT}),
        "name": "strasse",
        "recipient_email": "strasse@example.com",
        "created": TimeRange(NOON, NOON + 2 * HOUR),
        "updated": TimeRange(NOON, NOON + 10 * HOUR),
    }
    others = {
        "statuses": frozenset({SessionStatus.DRAFT}),
        "name": "gasse",
        "recipient_email": "order@example.com",
        "created": TimeRange(NOON + 2 * HOUR),
        "updated": TimeRange(end=NOON),
    }

    assert await listed(rows, **everything) == ["strasse"]
    for name, other in others.items():
        assert await listed(rows, **{**everything, name: other}) == []


@pytest.mark.parametrize("statuses", [frozenset(), frozenset({SessionStatus.PENDING, SessionStatus.DECLINED})])
async def test_pages_of_equal_sessions_are_disjoint_and_complete(
    rows: SessionRows, statuses: frozenset[SessionStatus], few: None
) -> None:
    at = NOON + timedelta(days=9)
    equal = [
        created(name=f"Equal {number}").session.model_copy(
            update={
                "created_at": at,
                "updated_at": at,
                "status": (SessionStatus.PENDING, SessionStatus.DECLINED)[number % 2],
            }
        )
        for number in range(7)
    ]
    for one in equal:
        await rows.record(one, ())
    query = SessionQuery(statuses=statuses, name="equal", created=TimeRange(start=at), limit=3)
    pages = [await rows.list_sessions(ORGANISATION, replace(query, offset=offset)) for offset in range(0, 12, 3)]

    assert [page.total for page in pages] == [7] * 4
    assert [len(page.sessions) for page in pages] == [3, 3, 1, 0]
    found = [one.session_id for page in pages for one in page.sessions]
    assert found == sorted((one.session_id for one in equal), reverse=True)


async def test_changed_sessions_are_found_as_they_are(rows: SessionRows) -> None:
    now = SESSIONS["nda"].model_copy(
        update={
            "name": "Non-disclosure agreement",
            "status": SessionStatus.PENDING,
            "recipients": (recipient("grace"),),
            "revision": 1,
        }
    )
    await rows.record(now, ())
    await rows.record(SESSIONS["nda"], ())  # what overtakes it changes nothing

    async def found(**query: Any) -> list[Session]:
        return list((await rows.list_sessions(ORGANISATION, SessionQuery(**query))).sessions)

    assert await found(name="disclosure") == [now]
    assert await found(name="nda") == []
    assert await found(recipient_email="grace@example.com") == [now]
    assert await found(recipient_email="nda@example.com") == []
    assert await found(search="grace") == [now]
    assert await found(search="nda@") == []
    assert await found(statuses=frozenset({SessionStatus.DRAFT})) == []


async def test_deleted_sessions_are_in_no_list(rows: SessionRows, few: None) -> None:
    await rows.erase(ORGANISATION, SESSIONS["lease"].session_id, NOON)

    assert "lease" not in await listed(rows)
    assert await listed(rows, name="lease") == []
    assert await listed(rows, search="lease@") == []
    assert await listed(rows, recipient_email="lease@example.com") == []
    assert await listed(rows, statuses=frozenset({SessionStatus.COMPLETED_AND_GENERATED})) == []


PERSONAL = (
    "SELECT count(*) FROM recipients",
    "SELECT count(*) FROM session_numbers",
    "SELECT count(*) FROM session_names WHERE session_names MATCH '\"lease\"'",
)


async def test_an_erasure_leaves_neither_address_nor_name(engine: AsyncEngine) -> None:
    rows = DatabaseSessionRows(engine)
    await rows.record(SESSIONS["lease"], ())

    async def left() -> Iterator[int]:
        async with engine.connect() as connection:
            return iter([(await connection.execute(text(count))).scalar_one() for count in PERSONAL])

    assert list(await left()) == [2, 1, 1]
    await rows.erase(ORGANISATION, SESSIONS["lease"].session_id, NOON)
    await rows.record(SESSIONS["lease"].with_next_revision(), ())  # what a late try of the workflow would do
    assert list(await left()) == [0, 0, 0]


async def test_names_of_other_organisations_hide_none(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = DatabaseSessionRows(engine)
    for number in range(20):
        foreign = {"organisation_id": STRANGER, "session_id": SessionId(identifier(f"foreign {number}"))}
        await rows.record(SESSIONS["lease"].model_copy(update=foreign), ())
    await rows.record(SESSIONS["lease"], ())

    for scanned in (10_000, 5):
        monkeypatch.setattr(session_search, "SCANNED", scanned)
        assert await listed(rows, name="lease of a flat") == ["lease"]


async def test_sessions_of_an_organisation_are_counted_by_status(rows: SessionRows) -> None:
    assert await rows.count_sessions(ORGANISATION) == {
        SessionStatus.COMPLETED_AND_GENERATED: 1,
        SessionStatus.PENDING: 2,
        SessionStatus.COMPLETED: 1,
        SessionStatus.DRAFT: 1,
        SessionStatus.CANCELLED: 1,
    }
    assert await rows.count_sessions(OrganisationId(identifier("nobody"))) == {}

"""Every kind of list is answered from an index: SQLite's own plans, the same for few sessions and for many."""

from itertools import product

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories import session_list
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.status import SessionStatus
from tests.adapters.plans import Plan, asked
from tests.builders import NOON, ORGANISATION, identifier

ORDERS = {
    SortBy.CREATED_AT: "creation",
    SortBy.UPDATED_AT: "update",
    SortBy.COMPLETED_DATE: "completion",
    SortBy.NAME: "name",
}
ONE = frozenset({SessionStatus.PENDING})
TWO = frozenset({SessionStatus.PENDING, SessionStatus.DRAFT})
FILTERS = {
    "nothing": {},
    "a part of the name": {"name": "lease"},
    "a short part of the name": {"name": "le"},
    "a search": {"search": "lease"},
    "a short search": {"search": "le"},
    "a recipient": {"recipient_email": "ada@example.com"},
    "labels": {"labels": {"externalId": "order-7", "metadata[customer]": "Northwind"}},
    "creation": {"created": TimeRange(NOON)},
    "update": {"updated": TimeRange(end=NOON)},
    "everything": {
        "name": "lease",
        "recipient_email": "ada@example.com",
        "created": TimeRange(NOON),
        "updated": TimeRange(end=NOON),
    },
}
EVERY_KIND = pytest.mark.parametrize(
    ("filters", "statuses", "sort_by"),
    [
        pytest.param(chosen, statuses, sort_by, id=f"{name}, {len(statuses)} statuses, by {sort_by}")
        for (name, chosen), statuses, sort_by in product(FILTERS.items(), (frozenset[str](), ONE, TWO), SortBy)
    ],
)


async def plans(engine: AsyncEngine, query: SessionQuery) -> list[Plan]:
    with asked(engine) as questions:
        await DatabaseSessionRows(engine).list_sessions(ORGANISATION, query)
    return list(await questions.plans())


def check_indexed(found: list[Plan]) -> None:
    for plan in found:
        for step in plan.steps:
            assert not step.startswith(("SCAN sessions", "SCAN recipients", "SCAN labels", "SCAN session_numbers")), (
                plan
            )
            if step.startswith(("SEARCH sessions", "SEARCH recipients", "SEARCH labels")):
                assert "INDEX" in step, plan
                assert "(organisation_id=?" in step, plan


@EVERY_KIND
async def test_a_list_of_many_scans_the_index_of_its_order(
    engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch, filters: dict, statuses: frozenset, sort_by: SortBy
) -> None:
    for most in ("FEW", "FEW_FOUND"):
        monkeypatch.setattr(session_list, most, -1)
    for sort_order in SortOrder:
        found = await plans(engine, SessionQuery(statuses=statuses, sort_by=sort_by, sort_order=sort_order, **filters))

        check_indexed(found)
        (page,) = [plan for plan in found if "LIMIT" in plan.statement and "ORDER BY" in plan.statement]
        index = f"sessions_by_{'status_and_' if statuses else ''}{ORDERS[sort_by]}"
        walks = [step for step in page.steps if step.startswith("SEARCH sessions")]
        assert len(walks) == max(1, len(statuses)), page
        assert all(f" INDEX {index} (" in step for step in walks), page
        # What is merged from several walks is put in order; no walk is.
        sorts = [step for step in page.steps if "TEMP B-TREE" in step]
        assert len(sorts) == (1 if len(statuses) > 1 else 0), page


@EVERY_KIND
async def test_a_list_of_few_uses_indexes(
    engine: AsyncEngine, filters: dict, statuses: frozenset, sort_by: SortBy
) -> None:
    found = await plans(engine, SessionQuery(statuses=statuses, sort_by=sort_by, **filters))
    check_indexed(found)


@pytest.mark.parametrize("count", [5, session_list.FEW])
@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("statuses", [frozenset(), ONE, TWO])
@pytest.mark.parametrize("sort_by", SortBy)
async def test_candidates_are_read_by_key(
    engine: AsyncEngine, count: int, name: str, statuses: frozenset, sort_by: SortBy
) -> None:
    query = SessionQuery(statuses=statuses, sort_by=sort_by, **FILTERS[name])
    few = [identifier(str(number)) for number in range(count)]

    async with engine.connect() as connection:
        query_plan = session_list.SessionListQuery(connection, ORGANISATION, query)
        with asked(engine) as questions:
            await connection.execute(query_plan.page_from_candidates(few))
            await connection.execute(query_plan.count_candidates(few))

    for plan in await questions.plans():
        assert [step for step in plan.steps if step.startswith(("SEARCH sessions", "SCAN sessions"))] == [
            "SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (organisation_id=? AND session_id=?)"
        ]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (SessionQuery(name="lease"), "session_names VIRTUAL TABLE INDEX"),
        (SessionQuery(search="lease"), "session_names VIRTUAL TABLE INDEX"),
        (SessionQuery(search="le"), "session_names VIRTUAL TABLE INDEX"),
        (SessionQuery(recipient_email="ada@example.com"), "COVERING INDEX recipients_by_email"),
    ],
)
async def test_names_and_recipients_have_an_index(engine: AsyncEngine, query: SessionQuery, index: str) -> None:
    assert any(index in str(plan) for plan in await plans(engine, query))


@pytest.mark.parametrize("sort_by", SortBy)
@pytest.mark.parametrize("statuses", [frozenset(), ONE])
async def test_postgresql_scans_without_sorting(
    postgres_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch, sort_by: SortBy, statuses: frozenset
) -> None:
    monkeypatch.setattr(session_list, "FEW", -1)
    # Of what it can do with an empty table it prefers other ways; these are taken from it.
    name = postgres_engine.url.database
    async with postgres_engine.begin() as connection:
        for way in ("seqscan", "bitmapscan", "sort"):
            await connection.exec_driver_sql(f"ALTER DATABASE {name} SET enable_{way} = off")
    await postgres_engine.dispose()

    for sort_order in SortOrder:
        found = await plans(postgres_engine, SessionQuery(statuses=statuses, sort_by=sort_by, sort_order=sort_order))

        (page,) = [plan for plan in found if "ORDER BY" in plan.statement]
        index = f"sessions_by_{'status_and_' if statuses else ''}{ORDERS[sort_by]}"
        assert f"using {index} on sessions" in str(page), page
        assert "Sort" not in str(page), page

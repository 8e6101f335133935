"""`make bench-lists`: lists of an organisation that has nine tenths of a million sessions, in SQLite and PostgreSQL.

Prints the time of each kind of list, page and total together; writes it with the plans to `build/bench-lists-*.json`.
"""

import argparse
import asyncio
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema_migration import migrate
from adapters.database.tables.sessions import RecipientRow, SessionRow
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.status import SessionStatus
from tests import ROOT
from tests.adapters.plans import asked
from tests.adapters.postgres_server import address, postgres_server
from tests.builders import NOON, ORGANISATION, created, identifier, recipient
from tests.databases import LIMITS

BUILD = ROOT / "build"
ROUNDS = 5

LISTS: Mapping[str, SessionQuery] = {
    "all, latest change first": SessionQuery(),
    "all, by name": SessionQuery(sort_by=SortBy.NAME, sort_order=SortOrder.ASCENDING),
    "all, 800,000 left out": SessionQuery(offset=800_000),
    "one status (5 %)": SessionQuery(statuses=frozenset({SessionStatus.DRAFT})),
    "two statuses, by creation": SessionQuery(
        statuses=frozenset({SessionStatus.PENDING, SessionStatus.IN_PROGRESS}), sort_by=SortBy.CREATED_AT
    ),
    "part of 50 names": SessionQuery(name="ZÜRICH"),
    "part of 300,000 names": SessionQuery(name="agreement"),
    "part of no name": SessionQuery(name="quarterly"),
    "two characters of a name": SessionQuery(name="or"),
    "part of 300,000 names, two statuses": SessionQuery(
        name="agreement", statuses=frozenset({SessionStatus.PENDING, SessionStatus.DRAFT})
    ),
    "search of a name, of 1,000 recipients": SessionQuery(search="person77"),
    "search of the recipient of all": SessionQuery(search="owner@"),
    "search of nobody": SessionQuery(search="nobody"),
    "search of two characters": SessionQuery(search="zü"),
    "search of 4,500 recipients, without archived": SessionQuery(
        search="person77", statuses=frozenset(SessionStatus) - {SessionStatus.CANCELLED}
    ),
    "a recipient of five": SessionQuery(recipient_email="person77@example.com"),
    "the recipient of all": SessionQuery(recipient_email="owner@example.com"),
    "the recipient of all, one status": SessionQuery(
        recipient_email="owner@example.com", statuses=frozenset({SessionStatus.PENDING})
    ),
    "created on one day": SessionQuery(created=TimeRange(NOON.replace(day=20), NOON.replace(day=21))),
    "created since some day, by change": SessionQuery(created=TimeRange(NOON.replace(day=20))),
}

_KINDS = ("Consulting agreement", "Non-disclosure agreement", "Lease", "Employment contract", "Order form")
_STATUSES = (
    *(SessionStatus.DRAFT,) * 5, *(SessionStatus.PENDING,) * 10, *(SessionStatus.IN_PROGRESS,) * 5,
    *(SessionStatus.COMPLETED,), *(SessionStatus.COMPLETED_AND_GENERATED,) * 60, *(SessionStatus.DECLINED,) * 5,
    *(SessionStatus.EXPIRED,) * 5, *(SessionStatus.CANCELLED,) * 9,
)  # fmt: skip
OTHER_ORGANISATION = identifier("other")
SPREAD = 200_000
"""Recipients besides the one of all sessions."""

Row = dict[str, object]


def rows(count: int) -> Iterator[tuple[Row, tuple[Row, Row]]]:
    """Yields sessions of 30 days, a tenth of them another organisation's, and their recipients."""
    chance = random.Random(1)  # noqa: S311  # the same ones each time
    snapshot = created(recipient("owner"), recipient("person")).session.model_dump(mode="json")
    month = 30 * 24 * 3600 * 1000
    for number in range(count):
        session_id = str(UUID(int=chance.getrandbits(128), version=4))
        key = {"organisation_id": ORGANISATION if number % 10 else OTHER_ORGANISATION, "session_id": session_id}
        name = f"{_KINDS[number % 5]}{' Zürich' if number % 20_000 == 7 else ''} {number}"
        status = _STATUSES[chance.randrange(100)]
        created_at = NOON + timedelta(milliseconds=number * month // count)
        updated_at = created_at + timedelta(milliseconds=chance.randrange(month))
        session = {
            "revision": 1,
            "name": name,
            "folded_name": name.lower(),
            "people": f"\nada owner\nowner@example.com\nperson\nperson{number % SPREAD}@example.com",
            "status": status.value,
            "created_at": created_at,
            "updated_at": updated_at,
            "completed_at": updated_at if status.value.startswith("completed") else None,
            "snapshot": snapshot,
        }
        addresses = "owner@example.com", f"person{number % SPREAD}@example.com"
        yield {**key, **session}, ({**key, "email": addresses[0]}, {**key, "email": addresses[1]})


async def fill(engine: AsyncEngine, count: int) -> None:
    """Adds that many sessions."""
    every = rows(count)
    while some := list(islice(every, 20_000)):
        async with engine.begin() as connection:
            await connection.execute(insert(SessionRow), [session for session, _ in some])
            await connection.execute(insert(RecipientRow), [person for _, pair in some for person in pair])


async def measure(engine: AsyncEngine) -> dict[str, dict[str, object]]:
    """Returns for each list its milliseconds, its total and the plans of its statements."""
    found: dict[str, dict[str, object]] = {}
    sessions = DatabaseSessionRows(engine)
    for name, query in LISTS.items():
        taken = []
        for _ in range(ROUNDS):
            start = perf_counter()
            page = await sessions.list_sessions(ORGANISATION, query)
            taken.append((perf_counter() - start) * 1000)
        with asked(engine) as questions:
            await sessions.list_sessions(ORGANISATION, query)
        plans = [[plan.statement, *plan.steps] for plan in await questions.plans()]
        found[name] = {"ms": round(median(taken), 1), "total": page.total, "plans": plans}
        print(f"  {name:<40}{found[name]['ms']:>9} ms {page.total:>8}", flush=True)
    return found


async def run(count: int, engines: list[str]) -> None:
    for kind in engines:
        with OPENING[kind]() as own:
            await migrate(own)
            engine = make_engine(own, LIMITS)
            start = perf_counter()
            await fill(engine, count)
            if kind == "postgresql":
                async with engine.connect() as connection:
                    alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
                    await alone.execute(text("VACUUM ANALYZE"))
            print(f"{kind}: {count} sessions in {perf_counter() - start:.0f} s", flush=True)
            found = await measure(engine)
            await engine.dispose()
            BUILD.mkdir(exist_ok=True)
            written = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
            (BUILD / f"bench-lists-{kind}.json").write_text(written, "utf-8")


@contextmanager
def sqlite() -> Iterator[str]:
    with TemporaryDirectory() as folder:
        yield f"sqlite+aiosqlite:///{folder}/undersign.db"


@contextmanager
def postgresql() -> Iterator[str]:
    with postgres_server("-c fsync=off -c listen_addresses= -c shared_buffers=1GB -c max_wal_size=8GB") as folder:
        yield address(folder)


OPENING = {"sqlite": sqlite, "postgresql": postgresql}


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench-lists", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="sessions in each database")
    parser.add_argument("--engine", choices=list(OPENING), action="append", help="default: both")
    args = parser.parse_args()
    asyncio.run(run(args.count, args.engine or list(OPENING)))


if __name__ == "__main__":
    main()

"""`make bench-lists`: lists of an organisation that has nine tenths of a million sessions, in SQLite and PostgreSQL.

Prints how long each kind of list takes, page and total together, and how the database goes about it; writes the same
to `build/bench-lists-*.json`. PostgreSQL is the system's own, in a folder that goes away.
"""

import argparse
import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from itertools import islice
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import make_engine
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.schema import migrate
from domain.session.list_query import SessionQuery, SortBy, SortOrder, TimeRange
from domain.session.session import SessionStatus
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
    "a recipient of five": SessionQuery(recipient_email="person77@example.com"),
    "the recipient of all": SessionQuery(recipient_email="owner@example.com"),
    "the recipient of all, one status": SessionQuery(
        recipient_email="owner@example.com", statuses=frozenset({SessionStatus.PENDING})
    ),
    "made on one day": SessionQuery(created=TimeRange(NOON.replace(day=20), NOON.replace(day=21))),
    "made since some day, by change": SessionQuery(created=TimeRange(NOON.replace(day=20))),
}

_COLUMNS = ("organisation_id", "session_id", "revision", "name", "folded_name", "status", "created_at", "updated_at",
            "completed_at", "snapshot")  # fmt: skip
_KINDS = ("Consulting agreement", "Non-disclosure agreement", "Lease", "Employment contract", "Order form")
_STATUSES = (
    *(SessionStatus.DRAFT,) * 5, *(SessionStatus.PENDING,) * 10, *(SessionStatus.IN_PROGRESS,) * 5,
    *(SessionStatus.COMPLETED,), *(SessionStatus.COMPLETED_AND_GENERATED,) * 60, *(SessionStatus.DECLINED,) * 5,
    *(SessionStatus.EXPIRED,) * 5, *(SessionStatus.CANCELLED,) * 9,
)  # fmt: skip
STRANGER = identifier("stranger")
SPREAD = 200_000
"""People who are recipients besides the one who signs everything."""

Row = tuple[object, ...]


def rows(count: int) -> Iterator[tuple[Row, tuple[Row, Row]]]:
    """Sessions of 30 days, a tenth of them another organisation's, and their recipients."""
    chance = random.Random(1)  # noqa: S311  # the same ones each time
    snapshot = created(recipient("owner"), recipient("person")).session.model_dump_json()
    month = 30 * 24 * 3600 * 1000
    for number in range(count):
        organisation = STRANGER if number % 10 == 0 else ORGANISATION
        session_id = str(UUID(int=chance.getrandbits(128), version=4))
        name = f"{_KINDS[number % 5]}{' Zürich' if number % 20_000 == 7 else ''} {number}"
        status = _STATUSES[chance.randrange(100)]
        made = NOON + timedelta(milliseconds=number * month // count)
        changed = made + timedelta(milliseconds=chance.randrange(month))
        done = changed if status.value.startswith("completed") else None
        key = (organisation, session_id)
        people = ((*key, "owner@example.com"), (*key, f"person{number % SPREAD}@example.com"))
        yield (*key, 1, name, name.lower(), status.value, made, changed, done, snapshot), people


async def fill(engine: AsyncEngine, count: int) -> None:
    """Makes that many sessions. Indexes are taken away for the while, and made again of all rows at once."""
    is_sqlite = engine.dialect.name == "sqlite"
    async with engine.begin() as connection:
        if is_sqlite:
            await connection.execute(text("PRAGMA cache_size = -1000000"))
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        made_of = (await connection.execute(text(_MADE_OF[engine.dialect.name]))).all()
        for kind, name, _ in made_of:
            await connection.execute(text(f"DROP {kind} {name}"))
        every = rows(count)
        while some := list(islice(every, 20_000)):
            sessions, people = [row for row, _ in some], [person for _, pair in some for person in pair]
            if is_sqlite:
                places = ", ".join("?" * len(_COLUMNS))
                addition = f"INSERT INTO sessions ({', '.join(_COLUMNS)}) VALUES ({places})"  # noqa: S608
                await driver.executemany(addition, [tuple(_as_kept(value) for value in row) for row in sessions])
                await driver.executemany("INSERT INTO recipients VALUES (?, ?, ?)", people)
            else:
                await driver.copy_records_to_table("sessions", records=sessions, columns=_COLUMNS)
                await driver.copy_records_to_table("recipients", records=people)
        for statement in (*(_NAMES if is_sqlite else ()), *(sql for _, _, sql in made_of)):
            await connection.execute(text(statement))


_MADE_OF = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master WHERE tbl_name IN ('sessions', 'recipients')"
    " AND type IN ('index', 'trigger') AND sql IS NOT NULL",
    "postgresql": "SELECT 'index', indexname, indexdef FROM pg_indexes"
    " WHERE tablename IN ('sessions', 'recipients') AND indexname NOT LIKE '%_pkey'",
}
_NAMES = (
    "INSERT INTO session_numbers (organisation_id, session_id) SELECT organisation_id, session_id FROM sessions",
    "INSERT INTO session_names (rowid, name) SELECT number, folded_name FROM session_numbers"
    " JOIN sessions USING (organisation_id, session_id)",
)


def _as_kept(value: object) -> object:
    """What SQLAlchemy writes into SQLite."""
    return value.strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime) else value


async def measure(engine: AsyncEngine) -> dict[str, dict[str, object]]:
    """Returns milliseconds for each list, how many match, and the plans of what is asked."""
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
        async with OPENING[kind]() as own:
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


@asynccontextmanager
async def sqlite() -> AsyncIterator[str]:
    with TemporaryDirectory() as folder:
        yield f"sqlite+aiosqlite:///{folder}/undersign.db"


@asynccontextmanager
async def postgresql() -> AsyncIterator[str]:
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

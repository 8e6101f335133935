"""Finds sessions by a part of their name, or of the names and addresses of their recipients, with a trigram index.

SQLite uses FTS5 with its trigram tokenizer; triggers update the index. PostgreSQL uses a GIN index (pg_trgm). A start
creates it if the extension is available and there are few sessions; otherwise the operator creates it. For parts of one
or two characters, and in PostgreSQL without the index, every name is compared in an index scan. A search for two
characters finds the beginnings of names and addresses: the line feed before each of them completes the trigram.
"""

from collections.abc import Sequence

import structlog
from sqlalchemy import ColumnElement, Connection, column, func, literal, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from adapters.database.tables.sessions import SessionRow
from domain.session.list_query import MAX_COUNTED, MIN_PART
from domain.shared.ids import OrganisationId

log = structlog.get_logger(__name__)

SCANNED = MAX_COUNTED
"""Maximum matches in all organisations that SQLite's index returns. With more, an index scan is faster."""

AT_ONCE = 10_000
"""Maximum sessions for which a start creates PostgreSQL's index. It takes a second, during which writers wait."""

_INDEX = "sessions_by_part_of_name"
_BUILT = f"{_INDEX} ON sessions USING gin (organisation_id, folded_name gin_trgm_ops, people gin_trgm_ops)"
_USABLE = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:index)").bindparams(index=_INDEX)
_MANY = text("SELECT EXISTS (SELECT FROM sessions OFFSET :few)")

SQLITE_INDEX_TABLES = ("session_numbers", "session_names")
"""The tables of SQLite's index. They are the prefixes of FTS5's own tables."""

_numbers = table("session_numbers", column("number"), column("organisation_id"), column("session_id"))
_LINE_FEED = literal("\n")
_names = table("session_names", column("rowid"), column("session_names"))


def is_part(connection: AsyncConnection, part: str) -> ColumnElement[bool]:
    """Returns the condition that a session's name contains `part` (casefolded). Uses no index."""
    find = func.instr if _is_sqlite(connection) else func.strpos
    return find(col(SessionRow.folded_name), part) > 0


async def find_by_name(
    connection: AsyncConnection, organisation_id: OrganisationId, part: str, limit: int
) -> Sequence[str] | None:
    """Returns at most `limit` sessions of the organisation with `part` in their name; None if no index is usable."""
    if len(part) < MIN_PART:
        return None
    if not _is_sqlite(connection):
        return await _find_in_postgresql(connection, organisation_id, _named(part), limit)
    return await _find_in_sqlite(connection, organisation_id, f"name : {_phrase(part)}", limit)


async def find_by_search(
    connection: AsyncConnection, organisation_id: OrganisationId, part: str, limit: int
) -> Sequence[str] | None:
    """Returns at most `limit` sessions that match `is_found`; None if no index is usable."""
    if not _is_sqlite(connection):
        has_person = col(SessionRow.people).contains(_sought(part), autoescape=True)
        return await _find_in_postgresql(connection, organisation_id, _named(part) | has_person, limit)
    return await _find_in_sqlite(connection, organisation_id, _phrase(_sought(part)), limit)


def is_found(connection: AsyncConnection, part: str) -> ColumnElement[bool]:
    """Returns the condition that a session matches `part` (casefolded) as `SessionQuery.search`. Uses no index."""
    find = func.instr if _is_sqlite(connection) else func.strpos
    return find(_LINE_FEED + col(SessionRow.folded_name) + col(SessionRow.people), _sought(part)) > 0


def _sought(part: str) -> str:
    return part if len(part) >= MIN_PART else f"\n{part}"


def _named(part: str) -> ColumnElement[bool]:
    name = col(SessionRow.folded_name)
    long = len(part) >= MIN_PART
    return name.contains(part, autoescape=True) if long else name.startswith(part, autoescape=True)


def _phrase(part: str) -> str:
    return '"' + part.replace('"', '""') + '"'


async def _find_in_postgresql(
    connection: AsyncConnection, organisation_id: OrganisationId, condition: ColumnElement[bool], limit: int
) -> Sequence[str] | None:
    if not (await connection.execute(_USABLE)).scalar():
        return None
    mine = col(SessionRow.organisation_id) == organisation_id
    found = select(col(SessionRow.session_id)).where(mine, condition)
    return (await connection.execute(found.limit(limit))).scalars().all()


async def _find_in_sqlite(
    connection: AsyncConnection, organisation_id: OrganisationId, phrase: str, limit: int
) -> Sequence[str] | None:
    hits = select(_names.c.rowid).where(_names.c.session_names.op("MATCH")(phrase)).limit(SCANNED + 1).subquery()
    if (await connection.execute(select(func.count()).select_from(hits))).scalar_one() > SCANNED:
        return None
    theirs = select(_numbers.c.session_id).join(hits, hits.c.rowid == _numbers.c.number)
    named = theirs.where(_numbers.c.organisation_id == organisation_id)
    return (await connection.execute(named.limit(limit))).scalars().all()


def ensure_index(connection: Connection) -> None:
    """Creates PostgreSQL's index if it is missing and the table is small and not in use.

    Otherwise, logs the statements that the operator can execute.
    """
    if connection.dialect.name == "sqlite":
        return
    is_usable = connection.execute(_USABLE).scalar()
    if is_usable:
        return
    extensions = [f"CREATE EXTENSION IF NOT EXISTS {name}" for name in ("pg_trgm", "btree_gin")]
    if not _is_done(connection, *extensions):
        _advise(f"as the owner of the database: {'; '.join(extensions)}; then start again")
    elif is_usable is not None:
        _advise(f"wait if it is being built; else DROP INDEX CONCURRENTLY {_INDEX}; CREATE INDEX CONCURRENTLY {_BUILT}")
    elif connection.execute(_MANY, {"few": AT_ONCE}).scalar() or not _is_done(
        connection, "LOCK TABLE sessions IN SHARE MODE NOWAIT", f"CREATE INDEX {_BUILT}"
    ):
        _advise(f"as the owner of the tables: CREATE INDEX CONCURRENTLY {_BUILT}")


def _is_done(connection: Connection, *statements: str) -> bool:
    """Returns whether all statements succeeded; otherwise they are rolled back."""
    try:
        with connection.begin_nested():
            for statement in statements:
                connection.execute(text(statement))
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        return False
    return True


def _advise(what: str) -> None:
    log.warning("names are searched without an index, which is slow with many sessions", do=what)


def _is_sqlite(connection: AsyncConnection) -> bool:
    return connection.dialect.name == "sqlite"

"""Finds sessions by a part of their name, with a trigram index.

SQLite uses FTS5 with its trigram tokenizer, kept up to date by triggers. PostgreSQL uses a GIN index (pg_trgm), which a
start creates if the extension is available and there are few sessions; otherwise the operator does. Parts of one or two
characters, and PostgreSQL without the index, compare every name in an index scan.
"""

from collections.abc import Sequence

import structlog
from sqlalchemy import ColumnElement, Connection, column, func, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from adapters.database.tables.sessions import SessionRow
from domain.shared.ids import OrganisationId

log = structlog.get_logger(__name__)

SHORTEST = 3
"""Characters of a part that the index can find."""

SCANNED = 10_000
"""Maximum matches in all organisations that SQLite's index returns. With more, an index scan is faster."""

AT_ONCE = 10_000
"""Sessions of PostgreSQL that are indexed within a second, during which writers wait."""

_INDEX = "sessions_by_part_of_name"
_BUILT = f"{_INDEX} ON sessions USING gin (organisation_id, folded_name gin_trgm_ops)"
_USABLE = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:index)").bindparams(index=_INDEX)
_MANY = text("SELECT EXISTS (SELECT FROM sessions OFFSET :few)")

SQLITE_INDEX_TABLES = ("session_numbers", "session_names")
"""The tables of SQLite's index. They are the prefixes of FTS5's own tables."""

_numbers = table("session_numbers", column("number"), column("organisation_id"), column("session_id"))
_names = table("session_names", column("rowid"), column("session_names"))


def is_part(connection: AsyncConnection, part: str) -> ColumnElement[bool]:
    """Returns the condition that a session's name contains `part` (casefolded). Uses no index."""
    find = func.instr if _is_sqlite(connection) else func.strpos
    return find(col(SessionRow.folded_name), part) > 0


async def find_by_name(
    connection: AsyncConnection, organisation_id: OrganisationId, part: str, limit: int
) -> Sequence[str] | None:
    """Returns at most `limit` sessions of the organisation with `part` in their name; None without an index."""
    if len(part) < SHORTEST:
        return None
    if not _is_sqlite(connection):
        if not (await connection.execute(_USABLE)).scalar():
            return None
        mine = col(SessionRow.organisation_id) == organisation_id
        named = select(col(SessionRow.session_id)).where(
            mine, col(SessionRow.folded_name).contains(part, autoescape=True)
        )
        return (await connection.execute(named.limit(limit))).scalars().all()
    phrase = '"' + part.replace('"', '""') + '"'
    hits = select(_names.c.rowid).where(_names.c.session_names.op("MATCH")(phrase)).limit(SCANNED + 1).subquery()
    if (await connection.execute(select(func.count()).select_from(hits))).scalar_one() > SCANNED:
        return None
    theirs = select(_numbers.c.session_id).join(hits, hits.c.rowid == _numbers.c.number)
    named = theirs.where(_numbers.c.organisation_id == organisation_id)
    return (await connection.execute(named.limit(limit))).scalars().all()


def ensure_index(connection: Connection) -> None:
    """Creates PostgreSQL's index if it is missing, without blocking writers, or logs what its operator can do."""
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

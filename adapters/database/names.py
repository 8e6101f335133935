"""Parts of names: sessions whose name holds a text, found by an index of three characters each.

In SQLite that is FTS5 with its trigram tokenizer, kept by triggers (migration 0008); in PostgreSQL a GIN index by
pg_trgm, made at a start at which the extension can be had. Parts of one or two characters have no index, nor has
PostgreSQL without the extension; then the walk along an index compares each name.
"""

from collections.abc import Sequence

import structlog
from sqlalchemy import ColumnElement, Connection, column, func, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from adapters.database.tables import SessionRow
from domain.ids import OrganisationId

log = structlog.get_logger(__name__)

SHORTEST = 3
"""Characters of a part that the index can find."""

SCANNED = 10_000
"""Matches in all organisations that SQLite's index is asked for; of more, those of one are not worth picking out."""

_INDEX = "sessions_by_part_of_name"

KEPT_BY_SQLITE = ("session_numbers", "session_names")
"""The tables of SQLite's index, and how the names of those that FTS5 makes for itself begin."""

_numbers = table("session_numbers", column("number"), column("organisation_id"), column("session_id"))
_names = table("session_names", column("rowid"), column("session_names"))


def is_part(connection: AsyncConnection, part: str) -> ColumnElement[bool]:
    """Whether a session's name holds `part`, by comparing; `part` is caseless."""
    find = func.instr if _is_sqlite(connection) else func.strpos
    return find(col(SessionRow.folded_name), part) > 0


async def find_by_name(
    connection: AsyncConnection, organisation_id: OrganisationId, part: str, limit: int
) -> Sequence[str] | None:
    """At most `limit` sessions of the organisation whose name holds `part`; None when the index cannot tell them."""
    if len(part) < SHORTEST:
        return None
    if not _is_sqlite(connection):
        if (await connection.execute(select(func.to_regclass(_INDEX)))).scalar() is None:
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
    """Makes PostgreSQL's index if it is not there yet; without leave to use the extensions, says so and goes on."""
    if connection.dialect.name == "sqlite":
        return
    try:
        with connection.begin_nested():
            for extension in ("pg_trgm", "btree_gin"):
                connection.execute(text(f"CREATE EXTENSION IF NOT EXISTS {extension}"))
            places = "organisation_id, folded_name gin_trgm_ops"
            connection.execute(text(f"CREATE INDEX IF NOT EXISTS {_INDEX} ON sessions USING gin ({places})"))
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        log.warning(
            "names are searched without an index, which is slow with many sessions",
            do="as the owner of the database: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; then start again",
        )


def _is_sqlite(connection: AsyncConnection) -> bool:
    return connection.dialect.name == "sqlite"

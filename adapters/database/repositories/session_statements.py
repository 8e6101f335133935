"""The statements that write sessions, built once for each dialect: building one takes longer than running it."""

from dataclasses import dataclass
from functools import cache, partial

from sqlalchemy import Delete, Dialect, Select, Text, bindparam, cast, delete, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from adapters.database.engine import insert_into
from adapters.database.repository import table_of
from adapters.database.tables.callbacks import CallbackRow, FeedHeadRow, FeedRow
from adapters.database.tables.sessions import EventRow, RecipientRow, SessionRow, TombstoneRow

KEY = ("organisation_id", "session_id")


@dataclass(frozen=True, slots=True)
class SessionStatements:
    """Each statement takes the values of one row, or of several, as parameters.

    `upsert_session` returns a row unless a newer one is stored. `add_events` returns the sequence numbers of new
    events, `take_numbers` the last of `last` new positions in the organisation's feed. `remove_recipients` deletes all
    recipients except `emails`. `find_session` returns the snapshot (JSON), `find_event` the event (JSON) of a
    `sequence`, `find_tombstone` a row if there is one.
    """

    upsert_session: ReturningInsert[int]
    add_events: ReturningInsert[int]
    add_callbacks: sqlite.Insert | postgresql.Insert
    add_recipients: sqlite.Insert | postgresql.Insert
    remove_recipients: Delete
    find_session: Select[str]
    find_event: Select[str]
    find_tombstone: Select[int]
    take_numbers: ReturningInsert[int]
    add_numbers: sqlite.Insert | postgresql.Insert


@cache
def session_statements(dialect: Dialect) -> SessionStatements:
    insert = partial(insert_into, dialect=dialect)
    sessions, events, recipients, heads = (table_of(kind) for kind in (SessionRow, EventRow, RecipientRow, FeedHeadRow))
    session, head = insert(sessions), insert(heads)
    return SessionStatements(
        upsert_session=session.on_conflict_do_update(
            index_elements=KEY,
            set_={name: session.excluded[name] for name in sessions.c.keys()},  # noqa: SIM118  # columns
            where=sessions.c.revision <= session.excluded.revision,
        ).returning(sessions.c.revision),
        add_events=insert(events).on_conflict_do_nothing().returning(events.c.sequence),
        add_callbacks=insert(table_of(CallbackRow)).on_conflict_do_nothing(),
        add_recipients=insert(recipients).on_conflict_do_nothing(),
        remove_recipients=delete(recipients).where(
            *(recipients.c[name] == bindparam(name) for name in KEY),
            recipients.c.email.not_in(bindparam("emails", expanding=True)),
        ),
        find_session=select(cast(sessions.c.snapshot, Text)).where(
            *(sessions.c[name] == bindparam(name) for name in KEY)
        ),
        find_event=select(cast(events.c.event, Text)).where(
            *(events.c[name] == bindparam(name) for name in (*KEY, "sequence"))
        ),
        find_tombstone=select(literal(1)).where(*(table_of(TombstoneRow).c[name] == bindparam(name) for name in KEY)),
        take_numbers=head.on_conflict_do_update(
            index_elements=["organisation_id"], set_={"last": heads.c.last + head.excluded.last}
        ).returning(heads.c.last),
        add_numbers=insert(table_of(FeedRow)),
    )

"""Lists: names to search, recipients by their email, an index for each order."""

import sqlalchemy as sa
from alembic import op

from domain.listing import caseless

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_AT_ONCE = 1_000
_WITHIN = {
    "update": ("updated_at", "session_id", "folded_name"),
    "creation": ("created_at", "session_id", "folded_name"),
    "completion": ("completed_at", "session_id", "folded_name"),
    "name": ("folded_name", "session_id"),
}

_NAMES_OF_SQLITE = (
    """CREATE TABLE session_numbers (
        number INTEGER PRIMARY KEY, organisation_id VARCHAR(36) NOT NULL, session_id VARCHAR(36) NOT NULL,
        UNIQUE (organisation_id, session_id))""",
    # No copy of the names: what is taken out is told by the triggers.
    """CREATE VIRTUAL TABLE session_names USING fts5(
        name, content='', columnsize=0, tokenize='trigram case_sensitive 1')""",
    "INSERT INTO session_numbers (organisation_id, session_id) SELECT organisation_id, session_id FROM sessions",
    """INSERT INTO session_names (rowid, name)
        SELECT number, folded_name FROM session_numbers JOIN sessions USING (organisation_id, session_id)""",
    """CREATE TRIGGER session_is_named AFTER INSERT ON sessions BEGIN
        INSERT INTO session_numbers (organisation_id, session_id) VALUES (new.organisation_id, new.session_id);
        INSERT INTO session_names (rowid, name) SELECT number, new.folded_name FROM session_numbers
            WHERE organisation_id = new.organisation_id AND session_id = new.session_id;
    END""",
    """CREATE TRIGGER session_is_renamed AFTER UPDATE OF folded_name ON sessions
        WHEN old.folded_name <> new.folded_name BEGIN
        INSERT INTO session_names (session_names, rowid, name) SELECT 'delete', number, old.folded_name
            FROM session_numbers WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
        INSERT INTO session_names (rowid, name) SELECT number, new.folded_name FROM session_numbers
            WHERE organisation_id = new.organisation_id AND session_id = new.session_id;
    END""",
    """CREATE TRIGGER session_is_deleted AFTER DELETE ON sessions BEGIN
        INSERT INTO session_names (session_names, rowid, name) SELECT 'delete', number, old.folded_name
            FROM session_numbers WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
        DELETE FROM session_numbers
            WHERE organisation_id = old.organisation_id AND session_id = old.session_id;
    END""",
)


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    # Characters in the order of their numbers, as in SQLite.
    bytewise = sa.Text() if is_sqlite else sa.Text(collation="C")
    op.add_column("sessions", sa.Column("folded_name", bytewise, nullable=False, server_default=""))
    op.create_table(
        "recipients",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("email", sa.String(320), primary_key=True),
    )
    op.create_index("recipients_by_email", "recipients", ["organisation_id", "email", "session_id"])
    _fill()
    for name in ("sessions_by_update", "sessions_by_status"):
        op.drop_index(name, "sessions")
    for order, columns in _WITHIN.items():
        places = [_nulls_first(column, is_sqlite=is_sqlite) for column in columns]
        op.create_index(f"sessions_by_{order}", "sessions", ["organisation_id", *places])
        op.create_index(f"sessions_by_status_and_{order}", "sessions", ["organisation_id", "status", *places])
    if is_sqlite:
        for statement in _NAMES_OF_SQLITE:
            op.execute(statement)


def _nulls_first(column: str, *, is_sqlite: bool) -> str | sa.TextClause:
    return sa.text("completed_at NULLS FIRST") if column == "completed_at" and not is_sqlite else column


def _fill() -> None:
    """Names and recipients of the sessions that are there already."""
    sessions = sa.table(
        "sessions",
        *(sa.column(name) for name in ("organisation_id", "session_id", "name", "folded_name")),
        sa.column("snapshot", sa.JSON()),
    )
    recipients = sa.table("recipients", *(sa.column(name) for name in ("organisation_id", "session_id", "email")))
    key = sa.tuple_(sessions.c.organisation_id, sessions.c.session_id)
    wanted = sa.select(sessions).order_by(sessions.c.organisation_id, sessions.c.session_id).limit(_AT_ONCE)
    connection = op.get_bind()
    found = connection.execute(wanted).all()
    named = sessions.update().where(
        sessions.c.organisation_id == sa.bindparam("organisation"), sessions.c.session_id == sa.bindparam("session")
    )
    while found:
        connection.execute(
            named.values(folded_name=sa.bindparam("folded")),
            [
                {"organisation": row.organisation_id, "session": row.session_id, "folded": caseless(row.name)}
                for row in found
            ],
        )
        addressed = [
            {"organisation_id": row.organisation_id, "session_id": row.session_id, "email": email}
            for row in found
            for email in sorted({recipient["email"].lower() for recipient in row.snapshot["recipients"]})
        ]
        if addressed:
            connection.execute(recipients.insert(), addressed)
        last = (found[-1].organisation_id, found[-1].session_id)
        found = connection.execute(wanted.where(key > last)).all()


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for trigger in ("session_is_deleted", "session_is_renamed", "session_is_named"):
            op.execute(f"DROP TRIGGER {trigger}")
        op.drop_table("session_names")
        op.drop_table("session_numbers")
    else:
        op.execute("DROP INDEX IF EXISTS sessions_by_part_of_name")
    for order in _WITHIN:
        op.drop_index(f"sessions_by_{order}", "sessions")
        op.drop_index(f"sessions_by_status_and_{order}", "sessions")
    op.create_index("sessions_by_update", "sessions", ["organisation_id", "updated_at", "session_id"])
    op.create_index("sessions_by_status", "sessions", ["organisation_id", "status", "updated_at", "session_id"])
    op.drop_table("recipients")
    op.drop_column("sessions", "folded_name")

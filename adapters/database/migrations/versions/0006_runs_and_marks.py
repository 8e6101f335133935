"""Which sessions need a run, which have lost it, and marks of positions in the feed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_SESSIONS = sa.table("sessions", sa.column("status", sa.String()), sa.column("needs_run", sa.Boolean()))


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("sessions", sa.Column("needs_run", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("sessions", sa.Column("stopped_at", sa.DateTime(timezone=True)))
    op.add_column("feed", sa.Column("mark", sa.String(16), nullable=False, server_default=""))
    is_open = _SESSIONS.c.status.in_(("pending", "inProgress", "completed"))
    connection.execute(sa.update(_SESSIONS).where(is_open).values(needs_run=True))
    needs_run = "needs_run" if connection.dialect.name == "postgresql" else "needs_run = 1"
    for index, column, condition in (
        ("sessions_stopped", "stopped_at", "stopped_at IS NOT NULL"),
        ("sessions_with_run", "session_id", needs_run),
    ):
        where = sa.text(condition)
        op.create_index(index, "sessions", [column], if_not_exists=True, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    op.drop_index("sessions_with_run", "sessions")
    op.drop_index("sessions_stopped", "sessions")
    op.drop_column("feed", "mark")
    op.drop_column("sessions", "stopped_at")
    op.drop_column("sessions", "needs_run")

"""The user who owns a session, for lists."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("owner", sa.String(36)))
    op.create_index("sessions_by_owner", "sessions", ["organisation_id", "owner", "session_id"], if_not_exists=True)
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    sent_by = "json_extract(snapshot, '$.sent_by')" if is_sqlite else "snapshot->>'sent_by'"
    op.execute(f"UPDATE sessions SET owner = {sent_by}")  # noqa: S608  # a constant


def downgrade() -> None:
    op.drop_index("sessions_by_owner", "sessions")
    op.drop_column("sessions", "owner")

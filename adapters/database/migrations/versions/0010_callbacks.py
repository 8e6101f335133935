"""Callbacks, their tries, receivers that fail, the secrets that sign, and the order of all events."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "callbacks",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("event_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("receiver", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("status", sa.String(9), nullable=False),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_held", sa.Boolean(), nullable=False),
    )
    op.create_index("callbacks_by_session", "callbacks", ["organisation_id", "session_id", "sequence"])
    op.create_index("callbacks_held", "callbacks", ["organisation_id", "is_held"])
    op.create_table(
        "callback_attempts",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("event_id", sa.String(36), primary_key=True),
        sa.Column("run_id", sa.String(36), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("session_id", sa.String(36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status_code", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=False),
    )
    op.create_index("callback_attempts_by_session", "callback_attempts", ["organisation_id", "session_id"])
    op.create_table(
        "callback_receivers",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("receiver", sa.Text(), primary_key=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_failed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("paused_since", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "webhook_secrets",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "feed",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("position", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("session_id", sa.String(36), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
    )
    op.create_index("feed_by_session", "feed", ["organisation_id", "session_id"])
    op.create_table(
        "feed_heads",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("last", sa.BigInteger(), nullable=False),
    )
    at = "json_extract(event, '$.at')" if op.get_bind().dialect.name == "sqlite" else "event->>'at'"
    op.execute(
        f"""INSERT INTO feed (organisation_id, position, session_id, sequence)
        SELECT organisation_id,
            row_number() OVER (PARTITION BY organisation_id ORDER BY {at}, session_id, sequence), session_id, sequence
        FROM events"""  # noqa: S608  # both texts are written here
    )
    op.execute(
        "INSERT INTO feed_heads (organisation_id, last) SELECT organisation_id, max(position) FROM feed GROUP BY 1"
    )


def downgrade() -> None:
    for table in ("feed_heads", "feed", "webhook_secrets", "callback_receivers", "callback_attempts", "callbacks"):
        op.drop_table(table)

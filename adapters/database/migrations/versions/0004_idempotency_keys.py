"""Requests that carried an Idempotency-Key, and what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("request_sha256", sa.String(64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("session_id", sa.String(36), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
    )
    op.create_index("idempotency_keys_by_age", "idempotency_keys", ["organisation_id", "since"])
    op.create_index("idempotency_keys_by_session", "idempotency_keys", ["organisation_id", "session_id"])


def downgrade() -> None:
    op.drop_table("idempotency_keys")

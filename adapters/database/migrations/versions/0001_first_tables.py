"""The first tables: organisations, clients, sessions, events, tombstones."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "organisations",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
    )
    op.create_table(
        "clients",
        sa.Column("client_id", sa.String(36), primary_key=True),
        sa.Column("organisation_id", sa.String(36), sa.ForeignKey("organisations.organisation_id"), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("secret_sha256", sa.String(64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_clients_organisation_id", "clients", ["organisation_id"])
    op.create_table(
        "sessions",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("status", sa.String(24), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True)),
        sa.Column("snapshot", sa.JSON(), nullable=False),
    )
    op.create_index("sessions_by_update", "sessions", ["organisation_id", "updated_at", "session_id"])
    op.create_index("sessions_by_status", "sessions", ["organisation_id", "status", "updated_at", "session_id"])
    op.create_table(
        "events",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("sequence", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("event", sa.JSON(), nullable=False),
    )
    op.create_table(
        "tombstones",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    for table in ("tombstones", "events", "sessions", "clients", "organisations"):
        op.drop_table(table)

"""One-time codes that recipients enter before the documents open."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "email_codes",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("recipient_id", sa.String(36), primary_key=True),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("tries_left", sa.Integer(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("window_began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_in_window", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("email_codes")

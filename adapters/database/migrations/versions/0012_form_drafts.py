"""What recipients have filled in and not handed in yet."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "form_drafts",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("session_id", sa.String(36), primary_key=True),
        sa.Column("recipient_id", sa.String(36), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("form_drafts")

"""The ways into the app."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_in_links",
        sa.Column("secret_sha256", sa.String(64), primary_key=True),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("goes_to", sa.String(500), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("sign_in_links_by_email", "sign_in_links", ["email"])
    op.create_index("sign_in_links_by_end", "sign_in_links", ["ends_at"])
    op.create_table(
        "sign_ins",
        sa.Column("secret_sha256", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(36), sa.ForeignKey("users.user_id"), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"])
    op.create_index("sign_ins_by_end", "sign_ins", ["ends_at"])


def downgrade() -> None:
    for table in ("sign_ins", "sign_in_links"):
        op.drop_table(table)

"""Uploaded PDFs."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "files",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("file_id", sa.String(36), primary_key=True),
        sa.Column("file_name", sa.String(260), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("object_name", sa.String(300), nullable=False),
        sa.Column("object_size", sa.Integer(), nullable=False),
        sa.Column("object_sha256", sa.String(64), nullable=False),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("files")

"""Templates."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "templates",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("template_id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(50), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recipient_count", sa.Integer(), nullable=False),
        sa.Column("has_variables", sa.Boolean(), nullable=False),
        sa.Column("template", sa.JSON(), nullable=False),
    )
    op.create_index("templates_by_status", "templates", ["organisation_id", "status", "updated_at", "template_id"])


def downgrade() -> None:
    op.drop_table("templates")

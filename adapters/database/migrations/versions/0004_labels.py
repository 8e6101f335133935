"""External ids and metadata of sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ID = sa.String(36)


def upgrade() -> None:
    op.create_table(
        "labels",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("name", sa.String(50), primary_key=True),
        sa.Column("value", sa.String(500), nullable=False),
    )
    op.create_index("labels_by_value", "labels", ["organisation_id", "name", "value", "session_id"])
    op.create_table(
        "external_ids",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("external_id", sa.String(200), primary_key=True),
        sa.Column("session_id", _ID, nullable=False),
    )
    op.create_index("external_ids_by_session", "external_ids", ["organisation_id", "session_id"])


def downgrade() -> None:
    op.drop_table("external_ids")
    op.drop_table("labels")

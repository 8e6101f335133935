"""Time zones of organisations."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("organisations", sa.Column("time_zone", sa.String(64), nullable=False, server_default="UTC"))


def downgrade() -> None:
    op.drop_column("organisations", "time_zone")

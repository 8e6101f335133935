"""What an archived template was before."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("templates", sa.Column("status_before_archive", sa.String(8)))


def downgrade() -> None:
    op.execute("UPDATE templates SET status = status_before_archive WHERE status = 'archived'")
    op.drop_column("templates", "status_before_archive")

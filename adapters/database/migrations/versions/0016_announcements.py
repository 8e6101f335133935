"""When the delivery of a callback is to be begun; null for those that are, among them all that were made before."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_WANTED = sa.text("begin_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("callbacks", sa.Column("begin_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("callbacks_to_begin", "callbacks", ["begin_at"], sqlite_where=_WANTED, postgresql_where=_WANTED)


def downgrade() -> None:
    op.drop_index("callbacks_to_begin", "callbacks")
    op.drop_column("callbacks", "begin_at")

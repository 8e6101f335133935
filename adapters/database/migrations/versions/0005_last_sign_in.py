"""When a user last signed in. Earlier sign-ins that have ended are not known."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_LATEST = "(SELECT max(began_at) FROM sign_ins WHERE sign_ins.user_id = users.user_id)"


def upgrade() -> None:
    op.add_column("users", sa.Column("signed_in_at", sa.DateTime(timezone=True)))
    op.execute(f"UPDATE users SET signed_in_at = {_LATEST}")  # noqa: S608  # a constant


def downgrade() -> None:
    op.drop_column("users", "signed_in_at")

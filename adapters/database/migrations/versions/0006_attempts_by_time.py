"""The latest attempts of callbacks of an organisation."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("callback_attempts_by_time", "callback_attempts", ["organisation_id", "at"], if_not_exists=True)


def downgrade() -> None:
    op.drop_index("callback_attempts_by_time", "callback_attempts")

"""People sign in by links in mails: passwords go, and one address may be in several organisations."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("users_by_email", "users")
    op.drop_column("users", "password_hash")
    op.drop_column("users", "password_is_temporary")
    op.create_index("users_by_email", "users", ["email", "organisation_id"], unique=True)


def downgrade() -> None:
    op.drop_index("users_by_email", "users")
    op.add_column("users", sa.Column("password_hash", sa.String(255), nullable=False, server_default=""))
    op.add_column("users", sa.Column("password_is_temporary", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_index("users_by_email", "users", ["email"], unique=True)

"""Finds old idempotency keys of all organisations."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("idempotency_keys_by_age", "idempotency_keys")
    op.create_index("idempotency_keys_by_age", "idempotency_keys", ["since"])


def downgrade() -> None:
    op.drop_index("idempotency_keys_by_age", "idempotency_keys")
    op.create_index("idempotency_keys_by_age", "idempotency_keys", ["organisation_id", "since"])

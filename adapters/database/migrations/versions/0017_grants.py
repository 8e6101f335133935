"""Programs that people let work for their organisations, and what clients are held to."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "applications",
        sa.Column("application_id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("redirect_uris", sa.JSON(), nullable=False),
        sa.Column("auth_method", sa.String(30), nullable=False),
        sa.Column("secret_sha256", sa.String(64), nullable=True),
        sa.Column("registered_at", _TIME, nullable=False),
        sa.Column("approved_at", _TIME, nullable=True),
    )
    op.create_index("applications_by_approval", "applications", ["approved_at", "registered_at"])
    op.create_table(
        "approvals",
        sa.Column("code_sha256", sa.String(64), primary_key=True),
        sa.Column("client_id", sa.String(36), nullable=False),
        sa.Column("application_id", sa.String(36), sa.ForeignKey("applications.application_id"), nullable=False),
        sa.Column("organisation_id", sa.String(36), nullable=False),
        sa.Column("user_id", sa.String(36), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("challenge", sa.String(43), nullable=False),
        sa.Column("resource", sa.Text(), nullable=True),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("recipients_per_day", sa.Integer(), nullable=True),
        sa.Column("domains", sa.JSON(), nullable=False),
        sa.Column("approved_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME, nullable=True),
    )
    op.create_index("ix_approvals_application_id", "approvals", ["application_id"])
    op.create_index("approvals_by_end", "approvals", ["ends_at"])
    op.create_table(
        "grants",
        sa.Column("client_id", sa.String(36), sa.ForeignKey("clients.client_id"), primary_key=True),
        sa.Column("application_id", sa.String(36), sa.ForeignKey("applications.application_id"), nullable=False),
        sa.Column("user_id", sa.String(36), sa.ForeignKey("users.user_id"), nullable=False),
        sa.Column("approved_at", _TIME, nullable=False),
    )
    op.create_index("ix_grants_application_id", "grants", ["application_id"])
    op.create_index("ix_grants_user_id", "grants", ["user_id"])
    op.create_table(
        "refresh_tokens",
        sa.Column("secret_sha256", sa.String(64), primary_key=True),
        sa.Column("client_id", sa.String(36), sa.ForeignKey("grants.client_id"), nullable=False),
        sa.Column("application_id", sa.String(36), nullable=False),
        sa.Column("resource", sa.Text(), nullable=True),
        sa.Column("issued_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("used_at", _TIME, nullable=True),
    )
    op.create_index("ix_refresh_tokens_client_id", "refresh_tokens", ["client_id"])
    op.create_index("refresh_tokens_by_end", "refresh_tokens", ["ends_at"])
    op.create_table(
        "budgets",
        sa.Column("client_id", sa.Text(), primary_key=True),
        sa.Column("recipients_per_day", sa.Integer(), nullable=True),
        sa.Column("domains", sa.JSON(), nullable=False),
    )
    op.create_table(
        "spendings",
        sa.Column("client_id", sa.Text(), primary_key=True),
        sa.Column("act", sa.String(120), primary_key=True),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("recipients", sa.Integer(), nullable=False),
    )
    # A sign-in link may lead to a program's whole question for leave.
    with op.batch_alter_table("sign_in_links") as links:
        links.alter_column("goes_to", existing_type=sa.String(500), type_=sa.Text(), existing_nullable=False)


def downgrade() -> None:
    op.execute("DELETE FROM sign_in_links WHERE length(goes_to) > 500")
    with op.batch_alter_table("sign_in_links") as links:
        links.alter_column("goes_to", existing_type=sa.Text(), type_=sa.String(500), existing_nullable=False)
    for table in ("spendings", "budgets", "refresh_tokens", "grants", "approvals", "applications"):
        op.drop_table(table)

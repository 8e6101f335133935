"""Generations of credentials, invitations of users, places of sign-ins, and records of administrative acts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)
_ID = sa.String(36)

_WITH_GENERATION = ("clients", "users", "sign_ins", "approvals", "refresh_tokens", "signing_urls")

_ADDED = {
    "organisations": (("closed_at", _TIME),),
    "clients": (("created_by", _ID), ("created_at", _TIME)),
    "users": (("invited_by", _ID), ("invited_at", _TIME), ("accepted_at", _TIME)),
    "sign_ins": (("ip", sa.String(45)), ("user_agent", sa.String(512))),
    "sign_in_links": (("generations", sa.JSON()), ("requested_from", sa.String(80))),
    "email_codes": (("address_sha256", sa.String(64)),),
}


def upgrade() -> None:
    for table in _WITH_GENERATION:
        op.add_column(table, sa.Column("generation", sa.Integer(), nullable=False, server_default="0"))
    for table, columns in _ADDED.items():
        for name, kind in columns:
            op.add_column(table, sa.Column(name, kind))
    op.create_table(
        "administrative_acts",
        sa.Column("organisation_id", _ID, primary_key=True),
        sa.Column("act_id", _ID, primary_key=True),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("actor_kind", sa.String(9), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("ip", sa.String(45)),
        sa.Column("about", sa.Text()),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
    )
    op.create_index("administrative_acts_by_time", "administrative_acts", ["organisation_id", "at"])


def downgrade() -> None:
    op.drop_table("administrative_acts")
    for table, columns in _ADDED.items():
        for name, _ in columns:
            op.drop_column(table, name)
    for table in _WITH_GENERATION:
        op.drop_column(table, "generation")

"""Which sessions and templates use which uploads, which objects are still to be deleted, and guesses of codes."""

from collections.abc import Iterator
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    uses = op.create_table(
        "upload_uses",
        sa.Column("organisation_id", sa.String(36), primary_key=True),
        sa.Column("upload_id", sa.String(36), primary_key=True),
        sa.Column("user_id", sa.String(36), primary_key=True),
        sa.Column("since", _TIME, nullable=False),
    )
    op.create_index("upload_uses_by_user", "upload_uses", ["organisation_id", "user_id"])
    op.create_table(
        "due_objects",
        sa.Column("prefix", sa.String(300), primary_key=True),
        sa.Column("due_at", _TIME, nullable=False),
    )
    op.create_index("due_objects_by_time", "due_objects", ["due_at"])
    op.add_column("email_codes", sa.Column("guesses", sa.Integer(), nullable=False, server_default="0"))
    now = datetime.now(UTC)
    for found in list(_images_of_templates()):
        op.get_bind().execute(uses.insert().values({**found, "since": now}))


def _images_of_templates() -> Iterator[dict[str, str]]:
    """Sessions have copies of what they show; templates show what was uploaded."""
    templates = sa.table(
        "templates", sa.column("organisation_id"), sa.column("template_id"), sa.column("template", sa.JSON())
    )
    for organisation_id, template_id, template in op.get_bind().execute(sa.select(templates)).all():
        for image_id in set(_file_ids(template["document"])):
            yield {"organisation_id": organisation_id, "upload_id": image_id, "user_id": template_id}


def _file_ids(value: object) -> Iterator[str]:
    """The values of all members `fileId`, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from _file_ids(item)
    if isinstance(value, dict):
        for name, item in value.items():
            yield from [item] if name == "fileId" and isinstance(item, str) else _file_ids(item)


def downgrade() -> None:
    with op.batch_alter_table("email_codes") as codes:
        codes.drop_column("guesses")
    op.drop_table("due_objects")
    op.drop_table("upload_uses")

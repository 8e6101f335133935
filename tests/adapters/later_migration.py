"""A migration after all others, for tests of what an update of the schema does to a database that is in use."""

import shutil
from pathlib import Path

from alembic.script import ScriptDirectory

from adapters.database.schema_migration import MIGRATIONS

REVISION = "later"

_SOURCE = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("note", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE sessions SET note = name")
    op.create_index("sessions_by_note", "sessions", ["note"])
    op.create_table("notes", sa.Column("note_id", sa.String(36), primary_key=True), sa.Column("kind", sa.Text()))
    with op.batch_alter_table("notes") as notes:
        notes.alter_column("note_id", existing_type=sa.String(36), type_=sa.Text(), existing_nullable=False)
    op.drop_column("notes", "kind")


def downgrade() -> None:
    op.drop_table("notes")
    op.drop_index("sessions_by_note", "sessions")
    op.drop_column("sessions", "note")
"""


def add_later_migration(folder: Path) -> str:
    """Copies the migrations to `folder`, adds one that follows them, and returns the revision before it."""
    shutil.copytree(MIGRATIONS, folder)
    before = ScriptDirectory(str(folder)).get_current_head()
    assert before is not None
    (folder / "versions" / f"{REVISION}.py").write_text(_SOURCE.format(revision=REVISION, before=before))
    return before

"""How Alembic runs the migrations: on the connection that it is given, inside the caller's transaction."""

from alembic import context
from sqlmodel import SQLModel

from adapters.database import (
    callback_tables,
    code_tables,
    draft_tables,
    grant_tables,
    label_tables,
    sign_in_tables,
    tables,
    upload_tables,
)

__all__ = [
    "callback_tables",
    "code_tables",
    "draft_tables",
    "grant_tables",
    "label_tables",
    "sign_in_tables",
    "tables",
    "upload_tables",
]  # its tables are what the metadata describes

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    transactional_ddl=False,
)
context.run_migrations()

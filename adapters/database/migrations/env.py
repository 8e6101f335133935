"""Runs the migrations on the connection and in the transaction of the caller."""

from alembic import context
from sqlmodel import SQLModel

from adapters.database.tables import callbacks, installation, organisations, sessions, uploads

__all__ = [
    "callbacks",
    "installation",
    "organisations",
    "sessions",
    "uploads",
]  # the imports add tables to the metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata, transactional_ddl=False
)
context.run_migrations()

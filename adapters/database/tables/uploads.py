"""The tables about the use of uploads. Apart from `tables`, as callbacks and drafts are."""

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel, col, delete
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.tables.core import UtcTime
from domain.shared.object_names import prefix_of


class UploadUseRow(SQLModel, table=True):
    """An upload that a session or a template (`user_id`) uses, since when."""

    __tablename__ = "upload_uses"
    __table_args__ = (Index("upload_uses_by_user", "organisation_id", "user_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    upload_id: str = Field(primary_key=True, max_length=36)
    user_id: str = Field(primary_key=True, max_length=36)
    since: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


class DueObjectRow(SQLModel, table=True):
    """A prefix of the object store whose objects belong to no upload from `due_at` on, and are to be deleted."""

    __tablename__ = "due_objects"
    __table_args__ = (Index("due_objects_by_time", "due_at"),)

    prefix: str = Field(primary_key=True, max_length=300)
    due_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


async def keep_object(rows: AsyncSession, kept: str, stored: str) -> None:
    """The object `stored` is due no more if it is the one that is `kept`: otherwise another upload was first."""
    if kept == stored:
        await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix) == prefix_of(stored)))

"""Templates, uploaded files and images, and their use."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field, SQLModel

from adapters.database.tables.columns import OrganisationKey, UtcTime


class TemplateRow(OrganisationKey, table=True):
    """A template: the columns of lists, the whole template, and the whole next version, if it has one."""

    __tablename__ = "templates"
    __table_args__ = (Index("templates_by_status", "organisation_id", "status", "updated_at", "template_id"),)

    template_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=50)
    status: str = Field(max_length=8)
    status_before_archive: str | None = Field(default=None, max_length=8)
    created_at: datetime = Field(sa_type=UtcTime)
    updated_at: datetime = Field(sa_type=UtcTime)
    recipient_count: int
    has_variables: bool
    version: int
    has_next_version: bool = Field(default=False)
    template: dict[str, Any] = Field(sa_type=JSON)
    next_version: dict[str, Any] | None = Field(default=None, sa_type=JSON(none_as_null=True))


class ImageRow(OrganisationKey, table=True):
    """An uploaded image. Its content is in the object store."""

    __tablename__ = "images"

    image_id: str = Field(primary_key=True, max_length=36)
    file_name: str = Field(max_length=255)
    content_type: str = Field(max_length=40)
    width: int
    height: int
    object_name: str = Field(max_length=300)
    object_size: int
    object_sha256: str = Field(max_length=64)
    uploaded_at: datetime = Field(sa_type=UtcTime)


class FileRow(OrganisationKey, table=True):
    """An uploaded PDF. Its content is in the object store."""

    __tablename__ = "files"

    file_id: str = Field(primary_key=True, max_length=36)
    file_name: str = Field(max_length=260)
    page_count: int
    object_name: str = Field(max_length=300)
    object_size: int
    object_sha256: str = Field(max_length=64)
    uploaded_at: datetime = Field(sa_type=UtcTime)


class UploadUseRow(OrganisationKey, table=True):
    """A use of an upload by a session or a template (`user_id`), and its start."""

    __tablename__ = "upload_uses"
    __table_args__ = (Index("upload_uses_by_user", "organisation_id", "user_id"),)

    upload_id: str = Field(primary_key=True, max_length=36)
    user_id: str = Field(primary_key=True, max_length=36)
    since: datetime = Field(sa_type=UtcTime)


class DueObjectRow(SQLModel, table=True):
    """A prefix of the object store without an upload. Its objects are deleted from `due_at` on."""

    __tablename__ = "due_objects"
    __table_args__ = (Index("due_objects_by_time", "due_at"),)

    prefix: str = Field(primary_key=True, max_length=300)
    due_at: datetime = Field(sa_type=UtcTime)

"""The tables. Every row that belongs to an organisation carries it in its key."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, Column, DateTime, Dialect, ForeignKey, Index, String, Text, TypeDecorator, text
from sqlmodel import Field, SQLModel


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite keeps no zone, so it is put back when a row is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_BYTEWISE = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its characters' numbers, which is SQLite's own."""


class OrganisationRow(SQLModel, table=True):
    __tablename__ = "organisations"

    organisation_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=200)
    time_zone: str = Field(sa_column=Column(String(64), nullable=False, server_default="UTC"))


class ClientRow(SQLModel, table=True):
    """An API client; `scopes` is a list of strings."""

    __tablename__ = "clients"

    client_id: str = Field(primary_key=True, max_length=36)
    organisation_id: str = Field(
        sa_column=Column(String(36), ForeignKey("organisations.organisation_id"), nullable=False, index=True)
    )
    name: str = Field(max_length=200)
    secret_sha256: str = Field(max_length=64)
    scopes: list[str] = Field(sa_column=Column(JSON, nullable=False))
    revoked_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class UserRow(SQLModel, table=True):
    """A person of an organisation."""

    __tablename__ = "users"
    __table_args__ = (Index("users_by_email", "email", "organisation_id", unique=True),)

    user_id: str = Field(primary_key=True, max_length=36)
    organisation_id: str = Field(
        sa_column=Column(String(36), ForeignKey("organisations.organisation_id"), nullable=False, index=True)
    )
    email: str = Field(max_length=254)
    name: str = Field(max_length=100)
    disabled_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class ImageRow(SQLModel, table=True):
    """An uploaded image; its content is an object of the store."""

    __tablename__ = "images"

    organisation_id: str = Field(primary_key=True, max_length=36)
    image_id: str = Field(primary_key=True, max_length=36)
    file_name: str = Field(max_length=255)
    content_type: str = Field(max_length=40)
    width: int
    height: int
    object_name: str = Field(max_length=300)
    object_size: int
    object_sha256: str = Field(max_length=64)
    uploaded_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


class FileRow(SQLModel, table=True):
    """An uploaded PDF; its content is an object of the store."""

    __tablename__ = "files"

    organisation_id: str = Field(primary_key=True, max_length=36)
    file_id: str = Field(primary_key=True, max_length=36)
    file_name: str = Field(max_length=260)
    page_count: int
    object_name: str = Field(max_length=300)
    object_size: int
    object_sha256: str = Field(max_length=64)
    uploaded_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


_TO_START = text("start_at IS NOT NULL")
_TO_ERASE = text("erase_at IS NOT NULL")
_NEEDS_RUN = text("needs_run = 1")
_STOPPED = text("stopped_at IS NOT NULL")


class SessionRow(SQLModel, table=True):
    """The projection of a session: what lists are made of, and the whole snapshot. `folded_name` is `casefolded`.

    Each order has an index, and another one for within a status; in PostgreSQL those by completion have nulls first.
    They end with the name, so that a walk along them can compare it.

    `start_at` is when a worker starts the run of a session that was sent, unless the run has recorded it before.
    `needs_run` and `stopped_at` are those of the snapshot.
    """

    __tablename__ = "sessions"
    __table_args__ = (
        Index("sessions_by_update", "organisation_id", "updated_at", "session_id", "folded_name"),
        Index("sessions_by_creation", "organisation_id", "created_at", "session_id", "folded_name"),
        Index("sessions_by_completion", "organisation_id", "completed_at", "session_id", "folded_name"),
        Index("sessions_by_name", "organisation_id", "folded_name", "session_id"),
        Index("sessions_by_status_and_update", "organisation_id", "status", "updated_at", "session_id", "folded_name"),
        Index(
            "sessions_by_status_and_creation", "organisation_id", "status", "created_at", "session_id", "folded_name"
        ),
        Index(
            "sessions_by_status_and_completion",
            *("organisation_id", "status", "completed_at", "session_id", "folded_name"),
        ),
        Index("sessions_by_status_and_name", "organisation_id", "status", "folded_name", "session_id"),
        Index("sessions_to_start", "start_at", sqlite_where=_TO_START, postgresql_where=_TO_START),
        Index(
            "sessions_with_run", "session_id", sqlite_where=text("needs_run = 1"), postgresql_where=text("needs_run")
        ),
        Index("sessions_stopped", "stopped_at", sqlite_where=_STOPPED, postgresql_where=_STOPPED),
    )

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    revision: int
    name: str = Field(max_length=50)
    folded_name: str = Field(sa_column=Column(_BYTEWISE, nullable=False, server_default=""))
    status: str = Field(max_length=24)
    created_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    completed_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))
    snapshot: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    start_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))
    needs_run: bool
    stopped_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class RecipientRow(SQLModel, table=True):
    """An email address of a recipient, by which sessions are found; two recipients may share one."""

    __tablename__ = "recipients"
    __table_args__ = (Index("recipients_by_email", "organisation_id", "email", "session_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    email: str = Field(primary_key=True, max_length=320)


class EventRow(SQLModel, table=True):
    """One event of a session's history; `event` is all of it."""

    __tablename__ = "events"

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    sequence: int = Field(primary_key=True)
    event: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class TemplateRow(SQLModel, table=True):
    """A template: what lists are made of, and all of it."""

    __tablename__ = "templates"
    __table_args__ = (Index("templates_by_status", "organisation_id", "status", "updated_at", "template_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    template_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=50)
    status: str = Field(max_length=8)
    status_before_archive: str | None = Field(default=None, max_length=8)
    created_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    updated_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    recipient_count: int
    has_variables: bool
    template: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class TombstoneRow(SQLModel, table=True):
    """What is left of a session that was deleted for ever. `erase_at` is when a worker starts its erasure; None: it was
    started.
    """

    __tablename__ = "tombstones"
    __table_args__ = (Index("tombstones_to_erase", "erase_at", sqlite_where=_TO_ERASE, postgresql_where=_TO_ERASE),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(primary_key=True, max_length=36)
    erased_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    receipt: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    erase_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class IdempotencyKeyRow(SQLModel, table=True):
    """A request with an Idempotency-Key: since when, when it was last tried, and the body that was answered."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        Index("idempotency_keys_by_age", "since"),
        Index("idempotency_keys_by_session", "organisation_id", "session_id"),
    )

    organisation_id: str = Field(primary_key=True, max_length=36)
    key: str = Field(primary_key=True, max_length=255)
    request_sha256: str = Field(max_length=64)
    since: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    tried_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))
    session_id: str | None = Field(default=None, max_length=36)
    answer: str | None = Field(default=None, sa_column=Column(Text, nullable=True))

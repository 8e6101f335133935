"""Batches of sessions."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index
from sqlmodel import Field

from adapters.database.tables.columns import OrganisationKey, UtcTime


class BatchRow(OrganisationKey, table=True):
    """A batch. Its rows are one object in the object store. `start_at` is null once its run is started."""

    __tablename__ = "batches"
    __table_args__ = (
        Index("batches_by_creation", "organisation_id", "created_at", "batch_id"),
        Index("batches_to_start", "start_at"),
    )

    batch_id: str = Field(primary_key=True, max_length=36)
    template_id: str = Field(max_length=36)
    name: str = Field(max_length=50)
    is_sent: bool
    state: str = Field(max_length=9)
    revision: int
    total: int
    per_minute: int
    checked: int
    issue_count: int
    done: int
    failed_count: int
    created_at: datetime = Field(sa_type=UtcTime)
    updated_at: datetime = Field(sa_type=UtcTime)
    start_at: datetime | None = Field(default=None, sa_type=UtcTime)
    content: dict[str, Any] = Field(sa_type=JSON)
    issues: list[dict[str, Any]] = Field(sa_type=JSON)
    failed: list[dict[str, Any]] = Field(sa_type=JSON)

"""Column types and key columns that the tables share."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, TypeDecorator
from sqlmodel import Field, SQLModel


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite stores no time zone, so it is added when a row is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class OrganisationKey(SQLModel):
    """The first column of the key of rows that belong to an organisation."""

    organisation_id: str = Field(primary_key=True, max_length=36)


class SessionKey(OrganisationKey):
    """The first two columns of the key of rows that belong to a session."""

    session_id: str = Field(primary_key=True, max_length=36)

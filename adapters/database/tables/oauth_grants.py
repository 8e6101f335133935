"""The tables of grants and budgets. They hold hashes of secrets only."""

from datetime import date, datetime

from sqlalchemy import JSON, Column, Date, ForeignKey, Index, String, Text
from sqlmodel import Field, SQLModel

from adapters.database.tables.core import UtcTime


class ApplicationRow(SQLModel, table=True):
    """A program that has registered; `redirect_uris` is a list of strings."""

    __tablename__ = "applications"
    __table_args__ = (Index("applications_by_approval", "approved_at", "registered_at"),)

    application_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=100)
    redirect_uris: list[str] = Field(sa_column=Column(JSON, nullable=False))
    auth_method: str = Field(max_length=30)
    secret_sha256: str | None = Field(default=None, max_length=64)
    registered_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    approved_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class ApprovalRow(SQLModel, table=True):
    """What was approved, by its authorization code."""

    __tablename__ = "approvals"
    __table_args__ = (Index("approvals_by_end", "ends_at"),)

    code_sha256: str = Field(primary_key=True, max_length=64)
    client_id: str = Field(max_length=36)
    application_id: str = Field(
        sa_column=Column(String(36), ForeignKey("applications.application_id"), nullable=False, index=True)
    )
    organisation_id: str = Field(max_length=36)
    user_id: str = Field(max_length=36)
    redirect_uri: str = Field(sa_column=Column(Text, nullable=False))
    challenge: str = Field(max_length=43)
    resource: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    scopes: list[str] = Field(sa_column=Column(JSON, nullable=False))
    recipients_per_day: int | None = None
    domains: list[str] = Field(sa_column=Column(JSON, nullable=False))
    approved_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    ends_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class GrantRow(SQLModel, table=True):
    """By whose leave a client works that once was an application."""

    __tablename__ = "grants"

    client_id: str = Field(sa_column=Column(String(36), ForeignKey("clients.client_id"), primary_key=True))
    application_id: str = Field(
        sa_column=Column(String(36), ForeignKey("applications.application_id"), nullable=False, index=True)
    )
    user_id: str = Field(sa_column=Column(String(36), ForeignKey("users.user_id"), nullable=False, index=True))
    approved_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))


class RefreshTokenRow(SQLModel, table=True):
    """A refresh token; a used one is kept until its time is over, since its return gives theft away."""

    __tablename__ = "refresh_tokens"
    __table_args__ = (Index("refresh_tokens_by_end", "ends_at"),)

    secret_sha256: str = Field(primary_key=True, max_length=64)
    client_id: str = Field(
        sa_column=Column(String(36), ForeignKey("grants.client_id"), nullable=False, index=True),
    )
    application_id: str = Field(max_length=36)
    resource: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    issued_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    ends_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class BudgetRow(SQLModel, table=True):
    """What a client is held to, one of ours or of an outside issuer."""

    __tablename__ = "budgets"

    client_id: str = Field(sa_column=Column(Text, primary_key=True))
    recipients_per_day: int | None = None
    domains: list[str] = Field(sa_column=Column(JSON, nullable=False))


class SpendingRow(SQLModel, table=True):
    """Recipients whom an act of a client mailed on that day of UTC. Only days that still count are kept."""

    __tablename__ = "spendings"

    client_id: str = Field(sa_column=Column(Text, primary_key=True))
    act: str = Field(primary_key=True, max_length=120)
    day: date = Field(sa_column=Column(Date, nullable=False))
    recipients: int

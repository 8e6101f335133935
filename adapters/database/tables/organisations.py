"""Organisations, their users and API clients, sign-ins and OAuth grants. Secrets are stored as hashes only."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Index, Text
from sqlmodel import Field, SQLModel

from adapters.database.tables.columns import OrganisationKey, UtcTime

_NOTIFICATIONS = '["declined", "completed", "expired"]'
"""The default notifications of users (`domain.session.outcome_mail_kinds.DEFAULT_NOTIFICATIONS`)."""


class OrganisationRow(OrganisationKey, table=True):
    __tablename__ = "organisations"

    name: str = Field(max_length=200)
    time_zone: str = Field(default="UTC", max_length=64, sa_column_kwargs={"server_default": "UTC"})
    frame_origins: list[str] = Field(default=[], sa_type=JSON, sa_column_kwargs={"server_default": "[]"})
    language: str | None = Field(default=None, max_length=8)
    closed_at: datetime | None = Field(default=None, sa_type=UtcTime)


class SenderIdentityRow(OrganisationKey, table=True):
    """How an organisation appears on pages and in emails. The logo is a PNG, and its size is in CSS pixels."""

    __tablename__ = "sender_identities"

    logo: bytes | None = None
    logo_width: int | None = None
    logo_height: int | None = None
    sender_name: str | None = Field(default=None, max_length=100)
    accent: str | None = Field(default=None, max_length=7)
    imprint_url: str | None = Field(default=None, sa_type=Text)
    privacy_url: str | None = Field(default=None, sa_type=Text)


class _WithGeneration(SQLModel):
    """The generation of credentials (`domain.shared.standing`)."""

    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class ClientRow(_WithGeneration, table=True):
    """An API client; `scopes` is a list of strings. `created_by` is a user; null: an operator."""

    __tablename__ = "clients"

    client_id: str = Field(primary_key=True, max_length=36)
    organisation_id: str = Field(foreign_key="organisations.organisation_id", index=True, max_length=36)
    name: str = Field(max_length=200)
    secret_sha256: str = Field(max_length=64)
    scopes: list[str] = Field(sa_type=JSON)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcTime)
    created_by: str | None = Field(default=None, max_length=36)
    created_at: datetime | None = Field(default=None, sa_type=UtcTime)


class UserRow(_WithGeneration, table=True):
    """A user of an organisation. A row without a role is of an administrator.

    `invited_by` is a user; null: an operator. An invitation is open if `invited_at` is set and `accepted_at` is not.
    """

    __tablename__ = "users"
    __table_args__ = (Index("users_by_email", "email", "organisation_id", unique=True),)

    user_id: str = Field(primary_key=True, max_length=36)
    organisation_id: str = Field(foreign_key="organisations.organisation_id", index=True, max_length=36)
    email: str = Field(max_length=254)
    name: str = Field(max_length=100)
    role: str = Field(max_length=13, sa_column_kwargs={"server_default": "administrator"})
    disabled_at: datetime | None = Field(default=None, sa_type=UtcTime)
    notifications: list[str] = Field(sa_type=JSON, sa_column_kwargs={"server_default": _NOTIFICATIONS})
    invited_by: str | None = Field(default=None, max_length=36)
    invited_at: datetime | None = Field(default=None, sa_type=UtcTime)
    accepted_at: datetime | None = Field(default=None, sa_type=UtcTime)
    signed_in_at: datetime | None = Field(default=None, sa_type=UtcTime)


class SignInLinkRow(SQLModel, table=True):
    """An unused sign-in link. `generations` has those of the users who may use it, by their identifiers."""

    __tablename__ = "sign_in_links"
    __table_args__ = (Index("sign_in_links_by_email", "email"), Index("sign_in_links_by_end", "ends_at"))

    secret_sha256: str = Field(primary_key=True, max_length=64)
    email: str = Field(max_length=254)
    goes_to: str = Field(sa_type=Text)
    ends_at: datetime = Field(sa_type=UtcTime)
    generations: dict[str, int] | None = Field(default=None, sa_type=JSON)
    requested_from: str | None = Field(default=None, max_length=80)


class SignInRow(_WithGeneration, table=True):
    """The sign-in of a user in one browser."""

    __tablename__ = "sign_ins"
    __table_args__ = (Index("sign_ins_by_end", "ends_at"),)

    secret_sha256: str = Field(primary_key=True, max_length=64)
    user_id: str = Field(foreign_key="users.user_id", index=True, max_length=36)
    began_at: datetime = Field(sa_type=UtcTime)
    ends_at: datetime = Field(sa_type=UtcTime)
    ip: str | None = Field(default=None, max_length=45)
    user_agent: str | None = Field(default=None, max_length=512)


class ApplicationRow(SQLModel, table=True):
    """A registered OAuth application; `redirect_uris` is a list of strings."""

    __tablename__ = "applications"
    __table_args__ = (Index("applications_by_approval", "approved_at", "registered_at"),)

    application_id: str = Field(primary_key=True, max_length=36)
    name: str = Field(max_length=100)
    redirect_uris: list[str] = Field(sa_type=JSON)
    auth_method: str = Field(max_length=30)
    secret_sha256: str | None = Field(default=None, max_length=64)
    registered_at: datetime = Field(sa_type=UtcTime)
    approved_at: datetime | None = Field(default=None, sa_type=UtcTime)


class ApprovalRow(_WithGeneration, table=True):
    """An approval, by its authorization code."""

    __tablename__ = "approvals"
    __table_args__ = (Index("approvals_by_end", "ends_at"),)

    code_sha256: str = Field(primary_key=True, max_length=64)
    client_id: str = Field(max_length=36)
    application_id: str = Field(foreign_key="applications.application_id", index=True, max_length=36)
    organisation_id: str = Field(max_length=36)
    user_id: str = Field(max_length=36)
    redirect_uri: str = Field(sa_type=Text)
    challenge: str = Field(max_length=43)
    resource: str | None = Field(default=None, sa_type=Text)
    scopes: list[str] = Field(sa_type=JSON)
    recipients_per_day: int | None = None
    domains: list[str] = Field(sa_type=JSON)
    approved_at: datetime = Field(sa_type=UtcTime)
    ends_at: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class GrantRow(SQLModel, table=True):
    """The application and the user behind a client that was created by an OAuth approval."""

    __tablename__ = "grants"

    client_id: str = Field(primary_key=True, foreign_key="clients.client_id", max_length=36)
    application_id: str = Field(foreign_key="applications.application_id", index=True, max_length=36)
    user_id: str = Field(foreign_key="users.user_id", index=True, max_length=36)
    approved_at: datetime = Field(sa_type=UtcTime)


class RefreshTokenRow(_WithGeneration, table=True):
    """A refresh token. A used one is kept until it expires, because its reuse reveals theft."""

    __tablename__ = "refresh_tokens"
    __table_args__ = (Index("refresh_tokens_by_end", "ends_at"),)

    secret_sha256: str = Field(primary_key=True, max_length=64)
    client_id: str = Field(foreign_key="grants.client_id", index=True, max_length=36)
    application_id: str = Field(max_length=36)
    resource: str | None = Field(default=None, sa_type=Text)
    issued_at: datetime = Field(sa_type=UtcTime)
    ends_at: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class BudgetRow(SQLModel, table=True):
    """The sending limit of a client, which may be one of an external issuer."""

    __tablename__ = "budgets"

    client_id: str = Field(primary_key=True, sa_type=Text)
    recipients_per_day: int | None = None
    domains: list[str] = Field(sa_type=JSON)


class SpendingRow(SQLModel, table=True):
    """Recipients mailed by one action of a client on a day (UTC). Past days are deleted."""

    __tablename__ = "spendings"

    client_id: str = Field(primary_key=True, sa_type=Text)
    act: str = Field(primary_key=True, max_length=120)
    day: date
    recipients: int


class AdministrativeActRow(OrganisationKey, table=True):
    """A change of users, clients or settings (`domain.ports.administrative_acts`)."""

    __tablename__ = "administrative_acts"
    __table_args__ = (Index("administrative_acts_by_time", "organisation_id", "at"),)

    act_id: str = Field(primary_key=True, max_length=36)
    at: datetime = Field(sa_type=UtcTime)
    kind: str = Field(max_length=40)
    actor_kind: str = Field(max_length=9)
    actor_id: str = Field(sa_type=Text)
    ip: str | None = Field(default=None, max_length=45)
    about: str | None = Field(default=None, sa_type=Text)
    before: dict[str, Any] = Field(sa_type=JSON)
    after: dict[str, Any] = Field(sa_type=JSON)

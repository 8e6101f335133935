"""Callbacks, their delivery, and the event feed. The key of every row contains the organisation."""

from datetime import datetime

from sqlalchemy import BigInteger, Index, Text, text
from sqlmodel import Field

from adapters.database.tables.columns import OrganisationKey, UtcTime

_TO_BEGIN = text("begin_at IS NOT NULL")


class CallbackRow(OrganisationKey, table=True):
    """A callback and its delivery. `is_held`: the receiver is paused. `begin_at`: when to start the delivery."""

    __tablename__ = "callbacks"
    __table_args__ = (
        Index("callbacks_by_session", "organisation_id", "session_id", "sequence"),
        Index("callbacks_held", "organisation_id", "is_held"),
        Index("callbacks_to_begin", "begin_at", sqlite_where=_TO_BEGIN, postgresql_where=_TO_BEGIN),
    )

    event_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(max_length=36)
    sequence: int
    type: str = Field(max_length=40)
    url: str = Field(sa_type=Text)
    receiver: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    status: str = Field(max_length=9)
    next_attempt_at: datetime | None = Field(default=None, sa_type=UtcTime)
    is_held: bool = False
    begin_at: datetime | None = Field(default=None, sa_type=UtcTime)


class CallbackAttemptRow(OrganisationKey, table=True):
    """One attempt: `number` counts the attempts of a run of its delivery. The duration is in milliseconds."""

    __tablename__ = "callback_attempts"
    __table_args__ = (
        Index("callback_attempts_by_session", "organisation_id", "session_id"),
        Index("callback_attempts_by_time", "organisation_id", "at"),
    )

    event_id: str = Field(primary_key=True, max_length=36)
    run_id: str = Field(primary_key=True, max_length=36)
    number: int = Field(primary_key=True)
    session_id: str = Field(max_length=36)
    at: datetime = Field(sa_type=UtcTime)
    status_code: int | None = None
    error: str | None = Field(default=None, sa_type=Text)
    duration_ms: int


class CallbackReceiverRow(OrganisationKey, table=True):
    """A failing receiver (scheme, host and port): its first and last failure, and the start of its pause."""

    __tablename__ = "callback_receivers"

    receiver: str = Field(primary_key=True, sa_type=Text)
    failing_since: datetime = Field(sa_type=UtcTime)
    last_failed_at: datetime = Field(sa_type=UtcTime)
    paused_since: datetime | None = Field(default=None, sa_type=UtcTime)


class WebhookSecretRow(OrganisationKey, table=True):
    """An encrypted secret that signs callbacks. The newest has no end."""

    __tablename__ = "webhook_secrets"

    number: int = Field(primary_key=True)
    sealed: str = Field(sa_type=Text)
    ends_at: datetime | None = Field(default=None, sa_type=UtcTime)


class FeedRow(OrganisationKey, table=True):
    """The position of an event in its organisation's feed. Positions rise in the order of commits.

    `mark` is random (hex): a position that is assigned again after a restore has another mark. For a permanently
    deleted session, position and mark are kept, without the session's id.
    """

    __tablename__ = "feed"
    __table_args__ = (Index("feed_by_session", "organisation_id", "session_id"),)

    position: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    session_id: str = Field(max_length=36)
    sequence: int
    mark: str = Field(max_length=16)


class FeedHeadRow(OrganisationKey, table=True):
    """The last position in an organisation's feed."""

    __tablename__ = "feed_heads"

    last: int = Field(sa_type=BigInteger)

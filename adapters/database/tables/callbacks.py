"""The tables of callbacks. Every row carries its organisation in its key."""

from datetime import datetime

from sqlalchemy import BigInteger, Column, Index, Text, text
from sqlmodel import Field, SQLModel

from adapters.database.tables.core import UtcTime

_TO_BEGIN = text("begin_at IS NOT NULL")


class CallbackRow(SQLModel, table=True):
    """A callback and how far its delivery is. `body` are the bytes of every try; `is_held`: its receiver is paused.

    `begin_at` is when its delivery is to be begun; None: it was.
    """

    __tablename__ = "callbacks"
    __table_args__ = (
        Index("callbacks_by_session", "organisation_id", "session_id", "sequence"),
        Index("callbacks_held", "organisation_id", "is_held"),
        Index("callbacks_to_begin", "begin_at", sqlite_where=_TO_BEGIN, postgresql_where=_TO_BEGIN),
    )

    organisation_id: str = Field(primary_key=True, max_length=36)
    event_id: str = Field(primary_key=True, max_length=36)
    session_id: str = Field(max_length=36)
    sequence: int
    type: str = Field(max_length=40)
    url: str = Field(sa_column=Column(Text, nullable=False))
    receiver: str = Field(sa_column=Column(Text, nullable=False))
    body: str = Field(sa_column=Column(Text, nullable=False))
    status: str = Field(max_length=9)
    next_attempt_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))
    is_held: bool = False
    begin_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class CallbackAttemptRow(SQLModel, table=True):
    """One try: `number` counts those of one run of its delivery. The duration is in milliseconds."""

    __tablename__ = "callback_attempts"
    __table_args__ = (Index("callback_attempts_by_session", "organisation_id", "session_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    event_id: str = Field(primary_key=True, max_length=36)
    run_id: str = Field(primary_key=True, max_length=36)
    number: int = Field(primary_key=True)
    session_id: str = Field(max_length=36)
    at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    status_code: int | None = None
    error: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    duration_ms: int


class CallbackReceiverRow(SQLModel, table=True):
    """A receiver (scheme, host and port) that fails: since when, when last, and since when it is left alone."""

    __tablename__ = "callback_receivers"

    organisation_id: str = Field(primary_key=True, max_length=36)
    receiver: str = Field(sa_column=Column(Text, primary_key=True))
    failing_since: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    last_failed_at: datetime = Field(sa_column=Column(UtcTime(), nullable=False))
    paused_since: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class WebhookSecretRow(SQLModel, table=True):
    """A secret that signs callbacks, encrypted. The one without an end is the newest."""

    __tablename__ = "webhook_secrets"

    organisation_id: str = Field(primary_key=True, max_length=36)
    number: int = Field(primary_key=True)
    sealed: str = Field(sa_column=Column(Text, nullable=False))
    ends_at: datetime | None = Field(default=None, sa_column=Column(UtcTime(), nullable=True))


class FeedRow(SQLModel, table=True):
    """Where an event stands among all of its organisation; numbers rise in the order of commits.

    `mark` is random (hex): a number that is given again after a restore has another one. Of a session that was deleted
    for ever number and mark stay, without the session.
    """

    __tablename__ = "feed"
    __table_args__ = (Index("feed_by_session", "organisation_id", "session_id"),)

    organisation_id: str = Field(primary_key=True, max_length=36)
    position: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    session_id: str = Field(max_length=36)
    sequence: int
    mark: str = Field(max_length=16)


class FeedHeadRow(SQLModel, table=True):
    """The last number that was given in an organisation's feed."""

    __tablename__ = "feed_heads"

    organisation_id: str = Field(primary_key=True, max_length=36)
    last: int = Field(sa_column=Column(BigInteger, nullable=False))

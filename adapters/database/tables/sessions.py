"""Sessions and everything that is erased with them, and batches. The key of every row contains the organisation."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, Text, text
from sqlmodel import Field

from adapters.database.tables.columns import OrganisationKey, SessionKey, UtcTime

_BYTEWISE = Text().with_variant(Text(collation="C"), "postgresql")
_TO_START = text("start_at IS NOT NULL")
_TO_ERASE = text("erase_at IS NOT NULL")
_STOPPED = text("stopped_at IS NOT NULL")


def _sort_indexes() -> Iterator[Index]:
    for name, column in (("update", "updated_at"), ("creation", "created_at"), ("completion", "completed_at")):
        for prefix, first in (("", ()), ("status_and_", ("status",))):
            columns = ("organisation_id", *first, column, "session_id", "folded_name")
            yield Index(f"sessions_by_{prefix}{name}", *columns)


class SessionRow(SessionKey, table=True):
    """The projection of a session: the columns of lists, and the whole snapshot.

    `folded_name` is the `casefolded` name; `people` is `people_of` the session. `owner` is a user.

    Each sort order has an index, and another one that starts with the status. In PostgreSQL, those by completion sort
    nulls first. Each index contains the name, so that index scans can compare it.

    `start_at` is when a worker starts the run of a sent session, unless the run records the session before. `needs_run`
    and `stopped_at` are copied from the snapshot.
    """

    __tablename__ = "sessions"
    __table_args__ = (
        *_sort_indexes(),
        Index("sessions_by_name", "organisation_id", "folded_name", "session_id"),
        Index("sessions_by_status_and_name", "organisation_id", "status", "folded_name", "session_id"),
        Index("sessions_by_owner", "organisation_id", "owner", "session_id"),
        Index("sessions_to_start", "start_at", sqlite_where=_TO_START, postgresql_where=_TO_START),
        Index(
            "sessions_with_run", "session_id", sqlite_where=text("needs_run = 1"), postgresql_where=text("needs_run")
        ),
        Index("sessions_stopped", "stopped_at", sqlite_where=_STOPPED, postgresql_where=_STOPPED),
    )

    revision: int
    name: str = Field(max_length=50)
    folded_name: str = Field(sa_column=Column(_BYTEWISE, nullable=False, server_default=""))
    people: str = Field(sa_column=Column(_BYTEWISE.copy(), nullable=False, server_default=""))
    status: str = Field(max_length=24)
    created_at: datetime = Field(sa_type=UtcTime)
    updated_at: datetime = Field(sa_type=UtcTime)
    completed_at: datetime | None = Field(default=None, sa_type=UtcTime)
    snapshot: dict[str, Any] = Field(sa_type=JSON)
    start_at: datetime | None = Field(default=None, sa_type=UtcTime)
    needs_run: bool
    stopped_at: datetime | None = Field(default=None, sa_type=UtcTime)
    owner: str | None = Field(default=None, max_length=36)


class RecipientRow(SessionKey, table=True):
    """An email address of a session's recipients, for the search."""

    __tablename__ = "recipients"
    __table_args__ = (Index("recipients_by_email", "organisation_id", "email", "session_id"),)

    email: str = Field(primary_key=True, max_length=320)


class EventRow(SessionKey, table=True):
    """One event of a session's history; `event` is the whole event."""

    __tablename__ = "events"

    sequence: int = Field(primary_key=True)
    event: dict[str, Any] = Field(sa_type=JSON)


class LabelRow(SessionKey, table=True):
    """One label of a session (`domain.session.labels`), for the search."""

    __tablename__ = "labels"
    __table_args__ = (Index("labels_by_value", "organisation_id", "name", "value", "session_id"),)

    name: str = Field(primary_key=True, max_length=50)
    value: str = Field(max_length=500)


class ExternalIdRow(OrganisationKey, table=True):
    """An external id that only one session of the organisation may have."""

    __tablename__ = "external_ids"
    __table_args__ = (Index("external_ids_by_session", "organisation_id", "session_id"),)

    external_id: str = Field(primary_key=True, max_length=200)
    session_id: str = Field(max_length=36)


class FormDraftRow(SessionKey, table=True):
    """A recipient's saved form. `sealed` is a nonce, followed by the form encrypted with AES-256-GCM."""

    __tablename__ = "form_drafts"

    recipient_id: str = Field(primary_key=True, max_length=36)
    sealed: bytes
    saved_at: datetime = Field(sa_type=UtcTime)


class EmailCodeRow(SessionKey, table=True):
    """The latest code of a recipient, with the numbers of codes sent since `window_began_at` and of wrong entries."""

    __tablename__ = "email_codes"

    recipient_id: str = Field(primary_key=True, max_length=36)
    code_hash: str = Field(max_length=64)
    tries_left: int
    sent_at: datetime = Field(sa_type=UtcTime)
    ends_at: datetime = Field(sa_type=UtcTime)
    window_began_at: datetime = Field(sa_type=UtcTime)
    sent_in_window: int
    guesses: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    address_sha256: str | None = Field(default=None, max_length=64)


class SigningUrlRow(SessionKey, table=True):
    """A signing URL (`domain.ports.signing_urls`)."""

    __tablename__ = "signing_urls"

    secret_sha256: str = Field(primary_key=True, max_length=64)
    recipient_id: str = Field(max_length=36)
    invitation: int
    client_id: str = Field(sa_type=Text)
    origin: str | None = Field(default=None, sa_type=Text)
    return_url: str | None = Field(default=None, sa_type=Text)
    generation: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    ends_at: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class IdempotencyKeyRow(OrganisationKey, table=True):
    """A request with an Idempotency-Key: the times of its first and its last attempt, and the stored response body."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (
        Index("idempotency_keys_by_age", "since"),
        Index("idempotency_keys_by_session", "organisation_id", "session_id"),
    )

    key: str = Field(primary_key=True, max_length=255)
    request_sha256: str = Field(max_length=64)
    since: datetime = Field(sa_type=UtcTime)
    tried_at: datetime | None = Field(default=None, sa_type=UtcTime)
    session_id: str | None = Field(default=None, max_length=36)
    answer: str | None = Field(default=None, sa_type=Text)


class TombstoneRow(SessionKey, table=True):
    """The tombstone of a permanently deleted session. `erase_at` is when a worker starts its erasure; None: started.

    `mails` is the data of the emails about the deletion, until there is a receipt.
    """

    __tablename__ = "tombstones"
    __table_args__ = (Index("tombstones_to_erase", "erase_at", sqlite_where=_TO_ERASE, postgresql_where=_TO_ERASE),)

    erased_at: datetime = Field(sa_type=UtcTime)
    receipt: str | None = Field(default=None, sa_type=Text)
    erase_at: datetime | None = Field(default=None, sa_type=UtcTime)
    mails: str | None = Field(default=None, sa_type=Text)


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

"""Repositories of organisations, clients, users and sessions.

The workflow is authoritative; the rows of a session are its projection. Every query for data of an organisation names
the organisation.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from domain.audit.events import Event
from domain.audit.hash_chain import FIRST_PREVIOUS_HASH
from domain.callbacks.callback import Callback
from domain.session.deletion_mails import DeletionMails
from domain.session.list_query import SessionPage, SessionQuery
from domain.session.outcome_mail_kinds import DEFAULT_NOTIFICATIONS
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import CodedError, Outage
from domain.shared.ids import ClientId, OrganisationId, SessionId, UserId
from domain.shared.roles import Role
from domain.shared.standing import IN_FORCE, Standing


class DatabaseUnavailable(Outage):
    """The database does not respond. Try again later."""


class HistoryDiffers(Exception):
    """Another event is stored under the same number, for example after a restore. Nothing was written."""


class MigrationDelayed(DatabaseUnavailable):
    """A migration waits for a lock that another process holds. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Organisation:
    """An organisation. `time_zone` (IANA name) applies to recipients whose browser names no zone.

    `frame_origins` are the origins whose pages may frame signing pages (`domain.shared.check_origins`). `language` is
    the language of new sessions that name none. A closed organisation (`closed_at`) stays closed: none of its users and
    clients can act.
    """

    organisation_id: OrganisationId
    name: str
    time_zone: str = "UTC"
    frame_origins: tuple[str, ...] = ()
    language: str | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """An API client. `secret_sha256` is the hash of 256 random bits. `scopes` are the scopes that it may request.

    `approver_role` is the current role of the user who approved a connected app; None for other clients. Only
    `find_client` and `Grants.list` read it. Only `find_client` reads `standing`. `created_by` is the user who created
    the client; None: an operator.
    """

    client_id: ClientId
    organisation_id: OrganisationId
    name: str
    secret_sha256: str
    scopes: tuple[str, ...]
    revoked_at: datetime | None = None
    approver_role: Role | None = None
    created_by: UserId | None = None
    created_at: datetime | None = None
    standing: Standing = field(default=IN_FORCE, compare=False)


@dataclass(frozen=True, slots=True)
class User:
    """A user of an organisation. `email` (lower case) is unique within the organisation.

    Users sign in by links that are mailed to `email`. A person with users in several organisations chooses one at
    sign-in. `notifications` are the kinds of emails that the user gets about sessions that they sent.

    `signed_in_at` is when they last did so.

    A user whom `invited_by` (None: an operator) invited at `invited_at` is no member before they accept.
    """

    user_id: UserId
    organisation_id: OrganisationId
    email: str
    name: str
    role: Role
    disabled_at: datetime | None = None
    notifications: tuple[str, ...] = DEFAULT_NOTIFICATIONS
    invited_by: UserId | None = None
    invited_at: datetime | None = None
    accepted_at: datetime | None = None
    signed_in_at: datetime | None = field(default=None, compare=False)

    @property
    def is_pending(self) -> bool:
        """Whether the user has not accepted the invitation yet."""
        return self.invited_at is not None and self.accepted_at is None

    @property
    def is_administrator(self) -> bool:
        """Whether the user administers the organisation now."""
        return self.role is Role.ADMINISTRATOR and self.disabled_at is None and not self.is_pending


class EmailTaken(CodedError, code="EMAIL_TAKEN"):
    """Another user of the organisation has this email address."""


class LastAdministrator(CodedError, code="LAST_ADMINISTRATOR"):
    """The organisation would have no administrator. Nothing was changed."""


SETTLED_AFTER = timedelta(minutes=1)
"""Minimum age of a change before a session is compared with its run. The row of a newer change may not be written
yet."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """The record that remains of a permanently deleted session."""

    organisation_id: OrganisationId
    session_id: SessionId
    erased_at: datetime


class SessionHistory(NamedTuple):
    """A session and its events, oldest first, read together."""

    session: Session
    events: tuple[Event, ...]

    def is_whole(self, lost: Set[int] = frozenset()) -> bool:
        """Returns whether the events, with those that are lost, have the number and the last hash of the row."""
        last = self.events[-1].hash if self.events else FIRST_PREVIOUS_HASH
        return (len(self.events) + len(lost), last) == (self.session.sequence, self.session.head)


class SessionRows(Protocol):
    """The latest snapshots of sessions, and their events."""

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        """Writes snapshot, events and callbacks of a session with a run, in one transaction.

        A second call has no effect. A row with a higher `revision`, and the tombstone of an erased session, are not
        overwritten. Raises `HistoryDiffers`.
        """

    async def change(
        self,
        before: Session | None,
        session: Session,
        events: Sequence[Event],
        callbacks: Sequence[Callback] = (),
        *,
        start_at: datetime | None = None,
    ) -> bool:
        """Writes snapshot, events and callbacks of a session without a run, in one transaction.

        Returns false and writes nothing if the row differs from `before` (None: a new session). A worker starts the run
        at `start_at`. Raises `HistoryDiffers`, or `ExternalIdTaken` if another session has its unique external id.
        """

    async def to_start(self, at: datetime, limit: int) -> Sequence[Session]:
        """Returns the sessions whose runs are to be started at `at`, longest waiting first.

        Sessions that cannot be read are logged, and due again an hour later.
        """

    async def defer_start(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        """Lets a run that is still to be started wait until `at`."""

    async def mark_started(self, session: Session) -> None:
        """Marks the run of the session as started."""

    async def to_erase(self, at: datetime, limit: int) -> Sequence[Tombstone]:
        """Returns the sessions whose erasures are to be started at `at`, longest waiting first."""

    async def mark_erasing(self, organisation_id: OrganisationId, session_id: SessionId) -> None:
        """Marks the erasure of the session as started."""

    async def with_runs(self, after: SessionId, limit: int) -> tuple[Sequence[Session], SessionId]:
        """Returns sessions of all organisations that need their started run, by id, with ids after `after`.

        The second value is the `after` of the next call: empty after the last session. Sessions that cannot be read are
        logged and left out.
        """

    async def mark_stopped(self, session: Session, stopped_at: datetime | None) -> None:
        """Sets `stopped_at` of the session, unless the session has changed since."""

    async def count_stopped(self) -> int:
        """Returns the number of sessions of all organisations with a `stopped_at`."""

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        """Returns the latest snapshot, unless the session was erased or is of another organisation."""

    async def find_history(self, organisation_id: OrganisationId, session_id: SessionId) -> SessionHistory | None:
        """Returns the latest snapshot with its events, in one read; None where `find` returns None."""

    async def list_sessions(self, organisation_id: OrganisationId, query: SessionQuery) -> SessionPage:
        """Returns the latest snapshots of the matching sessions, without erased ones."""

    async def count_sessions(self, organisation_id: OrganisationId) -> dict[SessionStatus, int]:
        """Returns the number of sessions by status, without statuses that no session has."""

    async def find_external_id(self, organisation_id: OrganisationId, external_id: str) -> SessionId | None:
        """Returns the id of the session with `external_id` as its unique external id, if there is one."""

    async def is_erased(self, organisation_id: OrganisationId, session_id: SessionId) -> bool:
        """Returns whether the session has a tombstone."""

    async def restart_erasure(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        """Schedules the erasure of a deleted session again, at `at`."""

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        """Returns the history, oldest first; empty if the session does not exist or belongs to another organisation."""

    async def erase(
        self,
        organisation_id: OrganisationId,
        session_id: SessionId,
        at: datetime,
        announce: Callable[[Session], Callback | None] = lambda _: None,
        *,
        erase_at: datetime | None = None,
    ) -> None:
        """Deletes snapshot, events, callbacks and answers, and writes a tombstone. A second call has no effect.

        The callback that `announce` returns is kept until it is delivered. The data of the emails to recipients is kept
        until a receipt is stored. A worker starts the erasure of objects and histories at `erase_at`.
        """

    async def find_deletion_mails(self, organisation_id: OrganisationId, session_id: SessionId) -> DeletionMails | None:
        """Returns the data of the emails about the deletion; None if none are to be sent."""

    async def store_receipt(self, organisation_id: OrganisationId, session_id: SessionId, receipt: str) -> str:
        """Stores the receipt of an erasure with the tombstone, and returns the stored one, which is the first.

        Erases the data of the emails about the deletion.
        """

    async def find_receipt(self, organisation_id: OrganisationId, session_id: SessionId) -> str | None:
        """Returns the receipt of a finished erasure."""


class Organisations(Protocol):
    """Organisations and their API clients."""

    async def add(self, organisation: Organisation) -> None: ...

    async def change(self, before: Organisation, after: Organisation) -> None:
        """Writes the members in which `after` differs from `before`, and no others: another change is not lost."""

    async def get(self, organisation_id: OrganisationId) -> Organisation | None: ...

    async def list(self) -> tuple[Organisation, ...]:
        """Returns all organisations, by name. For operators only."""

    async def add_client(self, client: ClientCredentials) -> bool:
        """Adds the client. Returns false, and changes nothing, if one with its id exists."""

    async def list_clients(self, organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
        """Returns the clients of the organisation (None: of all, for operators), including revoked ones, by name."""

    async def close(self, organisation_id: OrganisationId, at: datetime) -> None:
        """Closes the organisation, which ends all credentials of its users and clients. It cannot be opened again."""

    async def find_standing(self, organisation_id: OrganisationId, origin: str) -> Standing:
        """Returns the standing of a client (also one of the external issuer) or a user of the organisation."""

    async def end_tokens(self, client_id: ClientId) -> None:
        """Ends the tokens and signing URLs of the client, which stays in use."""

    async def revoke_client(self, client_id: ClientId, at: datetime) -> ClientCredentials | None:
        """Revokes the client; a revoked one keeps its `revoked_at`. Returns None if the client does not exist."""

    async def replace_secret(self, client_id: ClientId, secret_sha256: str) -> ClientCredentials | None:
        """Replaces the secret of the client. Returns None if the client does not exist."""

    async def replace_scopes(self, client_id: ClientId, scopes: Sequence[str]) -> ClientCredentials | None:
        """Replaces the scopes of the client and of its earlier tokens. Returns None if the client does not exist."""

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        """Returns the client, revoked or not. Only this query runs before the organisation is known."""


class Users(Protocol):
    """Users of organisations."""

    async def add(self, user: User) -> None:
        """Adds the user. Raises `EmailTaken`."""

    async def find_by_email(self, email: str) -> tuple[User, ...]:
        """Returns the users with that address (lower case) in all organisations, disabled ones too, by organisation."""

    async def find(self, user_id: UserId) -> User | None:
        """Returns the user, disabled or not."""

    async def list(self, organisation_id: OrganisationId | None) -> tuple[User, ...]:
        """Returns the users of the organisation (None: of all, for operators), including disabled ones, by email."""

    async def rename(self, user_id: UserId, name: str) -> None: ...

    async def change_role(self, user_id: UserId, role: Role, *, keeps_administrator: bool = False) -> None:
        """Changes the role, and ends all credentials of the user as `disable` does.

        With `keeps_administrator`, raises `LastAdministrator` if no administrator would remain.
        """

    async def disable(self, user_id: UserId, at: datetime, *, keeps_administrator: bool = False) -> None:
        """Disables the user. Ends their credentials, the connected apps that they approved, and their open invitations.

        A second call keeps the time of the first one. With `keeps_administrator`, raises `LastAdministrator` if no
        administrator would remain.
        """

    async def enable(self, user_id: UserId) -> None:
        """Enables the user, who signs in again: credentials of before stay invalid."""

    async def accept(self, user_id: UserId, at: datetime) -> bool:
        """Makes an invited user a member. Returns false if there is no open invitation."""

    async def withdraw(self, user_id: UserId) -> bool:
        """Deletes an open invitation. Returns false if there is none."""

    async def choose_notifications(self, user_id: UserId, kinds: Sequence[str]) -> None:
        """Replaces the kinds of emails that the user gets about sessions that they sent."""

"""What the database promises. The workflow is the truth; the rows of a session are its projection.

Every look-up of something that belongs to an organisation carries the organisation.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from domain.audit.events import FIRST_PREVIOUS_HASH, Event
from domain.callbacks.callback import Callback
from domain.session.list_query import SessionPage, SessionQuery
from domain.session.session import Session
from domain.session.state import SessionStatus
from domain.shared.ids import ClientId, FileId, OrganisationId, SessionId, UserId
from domain.shared.object_names import ObjectReference


class DatabaseUnavailable(Exception):
    """The database does not answer; try again later."""


class HistoryDiffers(Exception):
    """Another event is stored under the number of one that is to be stored: the database and the run of the session are
    of different moments. Nothing was written.
    """


class MigrationDelayed(DatabaseUnavailable):
    """The schema is not up to date yet, since somebody else holds what that takes; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Organisation:
    """`time_zone` (IANA name) is where a day begins for recipients whose browser names no zone."""

    organisation_id: OrganisationId
    name: str
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """An API client. Only the SHA-256 of the secret (256 random bits) is kept. `scopes` are what it may ask for."""

    client_id: ClientId
    organisation_id: OrganisationId
    name: str
    secret_sha256: str
    scopes: tuple[str, ...]
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class User:
    """A person of an organisation, who signs in by links mailed to an address (lower case) that only they have there.

    The same address in another organisation is the same person's, who then chooses at signing in.
    """

    user_id: UserId
    organisation_id: OrganisationId
    email: str
    name: str
    disabled_at: datetime | None = None


class EmailTaken(Exception):
    """Somebody in that organisation has that email address already."""


@dataclass(frozen=True, slots=True)
class UploadedImage:
    """An image that documents of its organisation may show: PNG or JPEG in the object store, sizes in pixels."""

    organisation_id: OrganisationId
    image_id: FileId
    file_name: str
    content_type: str
    width: int
    height: int
    content: ObjectReference
    uploaded_at: datetime


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A PDF that sessions of its organisation may send along, as it was uploaded."""

    organisation_id: OrganisationId
    file_id: FileId
    file_name: str
    page_count: int
    content: ObjectReference
    uploaded_at: datetime


SETTLED_AFTER = timedelta(minutes=1)
"""A session that was changed later is not compared with its run: the two may be about to agree."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left of a session that was deleted for ever."""

    organisation_id: OrganisationId
    session_id: SessionId
    erased_at: datetime


class SessionHistory(NamedTuple):
    """A session and its events, oldest first, at one moment."""

    session: Session
    events: tuple[Event, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the events are those that the session's row counts, and end with its head."""
        last = self.events[-1].hash if self.events else FIRST_PREVIOUS_HASH
        return (len(self.events), last) == (self.session.sequence, self.session.head)


class SessionRows(Protocol):
    """Sessions as they were last answered, and their events."""

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        """Writes snapshot, events and callbacks of a session that has a run, in one transaction.

        Writing twice changes nothing; an older snapshot (by `revision`) never overwrites a newer one; an erased session
        (see `erase`) stays erased.

        Raises:
            HistoryDiffers: another event is stored under the number of one of `events`.
        """
        ...

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

        `before` is the session that was changed, None where there was none. Returns false, and writes nothing, if the
        row is another one by now. At `start_at` a worker starts the session's run, if it was not started before.

        Raises:
            HistoryDiffers: as `record`.
            ExternalIdTaken: another session has the external id of a new one, which was to be unique.
        """
        ...

    async def to_start(self, at: datetime, limit: int) -> Sequence[Session]:
        """The sessions whose runs a worker is to start at `at`, those that wait longest first."""
        ...

    async def mark_started(self, session: Session) -> None:
        """The run of that session was started."""
        ...

    async def to_erase(self, at: datetime, limit: int) -> Sequence[Tombstone]:
        """The sessions whose erasures a worker is to start at `at`, those that wait longest first."""
        ...

    async def mark_erasing(self, organisation_id: OrganisationId, session_id: SessionId) -> None:
        """The erasure of that session was started."""
        ...

    async def with_runs(self, after: SessionId, limit: int) -> Sequence[Session]:
        """The sessions of all organisations that need a run which was started, by id: at most `limit` with an id
        greater than `after`.
        """
        ...

    async def mark_stopped(self, session: Session, stopped_at: datetime | None) -> None:
        """Sets `stopped_at` of the session in the database, unless the session has changed since."""
        ...

    async def count_stopped(self) -> int:
        """How many sessions of all organisations have a `stopped_at`."""
        ...

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        """The latest snapshot; None for what does not exist, is another organisation's, or was erased."""
        ...

    async def find_history(self, organisation_id: OrganisationId, session_id: SessionId) -> SessionHistory | None:
        """The latest snapshot with the events up to it, in one read; None where `find` returns None."""
        ...

    async def list_sessions(self, organisation_id: OrganisationId, query: SessionQuery) -> SessionPage:
        """The latest snapshots of those sessions of the organisation that match; of erased ones there is nothing."""
        ...

    async def count_sessions(self, organisation_id: OrganisationId) -> dict[SessionStatus, int]:
        """How many sessions of the organisation have each status; a status that none has is left out."""
        ...

    async def find_external_id(self, organisation_id: OrganisationId, external_id: str) -> SessionId | None:
        """The session of the organisation that has `external_id` for itself alone."""
        ...

    async def is_erased(self, organisation_id: OrganisationId, session_id: SessionId) -> bool:
        """Whether a tombstone stands where the session was."""
        ...

    async def restart_erasure(self, organisation_id: OrganisationId, session_id: SessionId, at: datetime) -> None:
        """Has a worker start the erasure of a session that was deleted for ever, at `at`, as if it had not begun."""
        ...

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        """The history, oldest first; empty for what does not exist or is another organisation's."""
        ...

    async def erase(
        self,
        organisation_id: OrganisationId,
        session_id: SessionId,
        at: datetime,
        announce: Callable[[Session], Callback | None] = lambda _: None,
        *,
        erase_at: datetime | None = None,
    ) -> None:
        """Deletes snapshot, events, callbacks, kept answers; leaves a tombstone (identifier, organisation, time).

        What stays beside it, until it is delivered, is the callback that `announce` makes of the session as it was. At
        `erase_at` a worker starts the erasure of the rest. Twice is as once.
        """
        ...

    async def store_receipt(self, organisation_id: OrganisationId, session_id: SessionId, receipt: str) -> str:
        """Keeps the receipt of an erasure with the tombstone; answers with the one that is kept, which is the first."""
        ...

    async def find_receipt(self, organisation_id: OrganisationId, session_id: SessionId) -> str | None:
        """The receipt of a finished erasure."""
        ...


class Organisations(Protocol):
    """Organisations and their API clients."""

    async def add(self, organisation: Organisation) -> None: ...

    async def get(self, organisation_id: OrganisationId) -> Organisation | None: ...

    async def list(self) -> tuple[Organisation, ...]:
        """All of them, by name. For operators only."""
        ...

    async def add_client(self, client: ClientCredentials) -> None: ...

    async def list_clients(self, organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
        """The clients of the organisation, revoked ones too, by name; of all organisations for an operator."""
        ...

    async def revoke_client(self, client_id: ClientId, at: datetime) -> ClientCredentials | None:
        """Ends the client; one that was revoked before stays so since then. None for what does not exist."""
        ...

    async def replace_secret(self, client_id: ClientId, secret_sha256: str) -> ClientCredentials | None:
        """From now on the client has this secret and not the one before. None for what does not exist."""
        ...

    async def replace_scopes(self, client_id: ClientId, scopes: Sequence[str]) -> ClientCredentials | None:
        """From now on the client has these scopes, its earlier tokens too. None for what does not exist."""
        ...

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        """The client of that id, revoked or not: the one look-up that comes before an organisation is known."""
        ...


class Users(Protocol):
    """The people of organisations."""

    async def add(self, user: User) -> None:
        """Adds them. Raises `EmailTaken`."""
        ...

    async def find_by_email(self, email: str) -> tuple[User, ...]:
        """Whoever has that address (lower case), disabled or not, in whichever organisation, by organisation."""
        ...

    async def list(self, organisation_id: OrganisationId | None) -> tuple[User, ...]:
        """The people of the organisation, disabled ones too, by email; of all organisations for an operator."""
        ...

    async def disable(self, user_id: UserId, at: datetime) -> None:
        """Keeps them out, and ends what they let work for their organisation. Who is disabled already stays so."""
        ...

    async def enable(self, user_id: UserId) -> None: ...


class Images(Protocol):
    """Uploaded images."""

    async def add(self, image: UploadedImage) -> UploadedImage:
        """Stores `image` and returns it; if one of its id is stored, that one stays, as new as this one."""
        ...

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedImage]:
        """Those of `ids` that are images of the organisation, by id."""
        ...


class Files(Protocol):
    """Uploaded PDFs."""

    async def add(self, file: UploadedFile) -> UploadedFile:
        """Stores `file` and returns it; if one of its id is stored, that one stays, as new as this one."""
        ...

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedFile]:
        """Those of `ids` that are files of the organisation, by id."""
        ...

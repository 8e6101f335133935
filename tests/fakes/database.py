"""The database in memory."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from adapters.database.port import (
    KEPT_FOR,
    TRIED_FOR,
    Claim,
    ClaimState,
    ClientCredentials,
    EmailTaken,
    Organisation,
    TemplatePage,
    UploadedFile,
    UploadedImage,
    User,
)
from domain.callbacks import Callback
from domain.events import Event
from domain.ids import ClientId, OrganisationId, SessionId, TemplateId, UserId
from domain.listing import SessionPage, SessionQuery, SortBy, SortOrder, caseless
from domain.session import Session
from domain.session_state import SessionStatus
from domain.templates import Template, TemplateStatus, TemplateSummary

Key = tuple[OrganisationId, SessionId]


class MemorySessionRows:
    def __init__(self) -> None:
        self.rows: dict[Key, Session] = {}
        self.history: dict[Key, dict[int, Event]] = {}
        self.tombstones: dict[Key, datetime] = {}
        self.receipts: dict[Key, str] = {}

    async def record(self, session: Session, events: Sequence[Event], callbacks: Sequence[Callback] = ()) -> None:
        key = (session.organisation_id, session.session_id)
        if key in self.tombstones:
            return
        known = self.rows.get(key)
        if known is None or known.revision <= session.revision:
            self.rows[key] = session
        for event in events:
            self.history.setdefault(key, {}).setdefault(event.sequence, event)

    async def find(self, organisation_id: OrganisationId, session_id: SessionId) -> Session | None:
        return self.rows.get((organisation_id, session_id))

    async def list_sessions(self, organisation_id: OrganisationId, query: SessionQuery) -> SessionPage:
        found = [row for key, row in self.rows.items() if key[0] == organisation_id and _matches(row, query)]
        found.sort(key=lambda row: (_place(row, query.sort_by), row.session_id))
        if query.sort_order is SortOrder.DESCENDING:
            found.reverse()
        return SessionPage(tuple(found[query.offset : query.offset + query.limit]), len(found))

    async def count_sessions(self, organisation_id: OrganisationId) -> dict[SessionStatus, int]:
        return dict(Counter(row.status for key, row in self.rows.items() if key[0] == organisation_id))

    async def is_erased(self, organisation_id: OrganisationId, session_id: SessionId) -> bool:
        return (organisation_id, session_id) in self.tombstones

    async def events(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[Event, ...]:
        history = self.history.get((organisation_id, session_id), {})
        return tuple(history[number] for number in sorted(history))

    async def erase(
        self, organisation_id: OrganisationId, session_id: SessionId, at: datetime, callback: Callback | None = None
    ) -> None:
        key = (organisation_id, session_id)
        self.rows.pop(key, None)
        self.history.pop(key, None)
        self.tombstones.setdefault(key, at)

    async def keep_receipt(self, organisation_id: OrganisationId, session_id: SessionId, receipt: str) -> str:
        return self.receipts.setdefault((organisation_id, session_id), receipt)

    async def find_receipt(self, organisation_id: OrganisationId, session_id: SessionId) -> str | None:
        return self.receipts.get((organisation_id, session_id))


def _matches(row: Session, query: SessionQuery) -> bool:
    return (
        (not query.statuses or row.status in query.statuses)
        and caseless(query.name or "") in caseless(row.name)
        and (not query.recipient_email or query.recipient_email in {r.email.lower() for r in row.recipients})
        and query.created.holds(row.created_at)
        and query.updated.holds(row.updated_at)
    )


def _place(row: Session, sort_by: SortBy) -> tuple[object, ...]:
    match sort_by:
        case SortBy.CREATED_AT:
            return (row.created_at,)
        case SortBy.UPDATED_AT:
            return (row.updated_at,)
        case SortBy.COMPLETED_DATE:
            return (row.completed_at is not None, row.completed_at)
        case SortBy.NAME:
            return (caseless(row.name),)


class MemoryOrganisations:
    def __init__(self) -> None:
        self.organisations: dict[OrganisationId, Organisation] = {}
        self.clients: dict[ClientId, ClientCredentials] = {}

    async def add(self, organisation: Organisation) -> None:
        self.organisations[organisation.organisation_id] = organisation

    async def get(self, organisation_id: OrganisationId) -> Organisation | None:
        return self.organisations.get(organisation_id)

    async def list(self) -> tuple[Organisation, ...]:
        return tuple(sorted(self.organisations.values(), key=lambda found: (found.name, found.organisation_id)))

    async def add_client(self, client: ClientCredentials) -> None:
        self.clients[client.client_id] = client

    async def list_clients(self, organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
        wanted = [c for c in self.clients.values() if organisation_id in {None, c.organisation_id}]
        return tuple(sorted(wanted, key=lambda client: (client.name, client.client_id)))

    async def revoke_client(self, client_id: ClientId, at: datetime) -> ClientCredentials | None:
        client = self.clients.get(client_id)
        return self._change(client_id, revoked_at=client.revoked_at or at) if client else None

    async def replace_secret(self, client_id: ClientId, secret_sha256: str) -> ClientCredentials | None:
        return self._change(client_id, secret_sha256=secret_sha256)

    async def replace_scopes(self, client_id: ClientId, scopes: Sequence[str]) -> ClientCredentials | None:
        return self._change(client_id, scopes=tuple(scopes))

    def _change(self, client_id: ClientId, **members: Any) -> ClientCredentials | None:
        if client_id in self.clients:
            self.clients[client_id] = replace(self.clients[client_id], **members)
        return self.clients.get(client_id)

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        return self.clients.get(client_id)


class MemoryUsers:
    def __init__(self) -> None:
        self.users: dict[UserId, User] = {}
        self.on_disabling: list[Callable[[UserId, datetime], None]] = []

    async def add(self, user: User) -> None:
        if any(other.organisation_id == user.organisation_id for other in await self.find_by_email(user.email)):
            raise EmailTaken
        self.users[user.user_id] = user

    async def find_by_email(self, email: str) -> tuple[User, ...]:
        found = [user for user in self.users.values() if user.email == email]
        return tuple(sorted(found, key=lambda user: user.organisation_id))

    async def list(self, organisation_id: OrganisationId | None) -> tuple[User, ...]:
        wanted = [user for user in self.users.values() if organisation_id in {None, user.organisation_id}]
        return tuple(sorted(wanted, key=lambda user: (user.email, user.organisation_id)))

    async def disable(self, user_id: UserId, at: datetime) -> None:
        self._change(user_id, disabled_at=self.users[user_id].disabled_at or at)
        for end in self.on_disabling:
            end(user_id, at)

    async def enable(self, user_id: UserId) -> None:
        self._change(user_id, disabled_at=None)

    def _change(self, user_id: UserId, **members: Any) -> None:
        self.users[user_id] = replace(self.users[user_id], **members)


class MemoryImages:
    def __init__(self) -> None:
        self.images: dict[tuple[OrganisationId, str], UploadedImage] = {}

    async def add(self, image: UploadedImage) -> UploadedImage:
        kept = self.images.get((image.organisation_id, image.image_id), image)
        self.images[image.organisation_id, image.image_id] = replace(kept, uploaded_at=image.uploaded_at)
        return self.images[image.organisation_id, image.image_id]

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedImage]:
        return {name: self.images[organisation_id, name] for name in ids if (organisation_id, name) in self.images}


class MemoryTemplates:
    def __init__(self) -> None:
        self.templates: dict[tuple[OrganisationId, TemplateId], Template] = {}

    async def add(self, template: Template) -> Template:
        return self.templates.setdefault((template.organisation_id, template.template_id), template)

    async def find(self, organisation_id: OrganisationId, template_id: TemplateId) -> Template | None:
        return self.templates.get((organisation_id, template_id))

    async def activate(self, organisation_id: OrganisationId, template_id: TemplateId, at: datetime) -> Template | None:
        template = await self.find(organisation_id, template_id)
        if template is not None:
            template = self.templates[organisation_id, template_id] = template.activated(at)
        return template

    async def list(
        self, organisation_id: OrganisationId, statuses: Collection[TemplateStatus], limit: int, offset: int
    ) -> TemplatePage:
        mine = [t for t in self.templates.values() if t.organisation_id == organisation_id and t.status in statuses]
        mine.sort(key=lambda template: (template.updated_at, template.template_id), reverse=True)
        return TemplatePage(tuple(map(_summary, mine[offset : offset + limit])), len(mine))


def _summary(template: Template) -> TemplateSummary:
    return TemplateSummary(
        template_id=template.template_id,
        name=template.name,
        status=template.status,
        created_at=template.created_at,
        updated_at=template.updated_at,
        recipient_count=len(template.recipients),
        has_variables=bool(template.variables),
    )


class MemoryFiles:
    def __init__(self) -> None:
        self.files: dict[tuple[OrganisationId, str], UploadedFile] = {}

    async def add(self, file: UploadedFile) -> UploadedFile:
        kept = self.files.get((file.organisation_id, file.file_id), file)
        self.files[file.organisation_id, file.file_id] = replace(kept, uploaded_at=file.uploaded_at)
        return self.files[file.organisation_id, file.file_id]

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedFile]:
        return {name: self.files[organisation_id, name] for name in ids if (organisation_id, name) in self.files}


@dataclass
class KeyRow:
    request_sha256: str
    since: datetime
    tried_at: datetime | None
    session_id: SessionId | None = None
    answer: str | None = None


class MemoryIdempotencyKeys:
    """What a session leaves here when it is deleted for ever is for the real database to erase."""

    def __init__(self) -> None:
        self.rows: dict[tuple[OrganisationId, str], KeyRow] = {}

    async def claim(self, organisation_id: OrganisationId, key: str, request_sha256: str, at: datetime) -> Claim:
        self.rows = {name: row for name, row in self.rows.items() if row.since > at - KEPT_FOR}
        row = self.rows.get((organisation_id, key))
        if row is None:
            self.rows[organisation_id, key] = KeyRow(request_sha256, at, at)
            return Claim(ClaimState.FIRST, at)
        if row.request_sha256 != request_sha256:
            return Claim(ClaimState.OTHER_REQUEST, row.since)
        if row.answer is not None:
            return Claim(ClaimState.ANSWERED, row.since, row.answer)
        if row.tried_at is not None and row.tried_at > at - TRIED_FOR:
            return Claim(ClaimState.UNDER_WAY, row.since)
        row.tried_at = at
        return Claim(ClaimState.AGAIN, row.since)

    async def keep_answer(
        self, organisation_id: OrganisationId, key: str, session_id: SessionId | None, answer: str
    ) -> None:
        row = self.rows.get((organisation_id, key))
        if row is not None and row.answer is None:
            row.session_id, row.answer = session_id, answer

    async def let_go(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        if self._is_tried(organisation_id, key, tried_at):
            self.rows[organisation_id, key].tried_at = None

    async def forget(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> None:
        if self._is_tried(organisation_id, key, tried_at):
            del self.rows[organisation_id, key]

    def _is_tried(self, organisation_id: OrganisationId, key: str, tried_at: datetime) -> bool:
        row = self.rows.get((organisation_id, key))
        return row is not None and row.tried_at == tried_at and row.answer is None

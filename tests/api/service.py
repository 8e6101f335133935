"""The API on fakes, and a client that speaks to it without a network."""

import sqlite3
from collections.abc import Awaitable, Callable, Hashable, Mapping
from copy import copy
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar, cast

import httpx
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.tables.sessions import IdempotencyKeyRow
from adapters.rate_limit_counters import limit_in_memory
from adapters.webhooks.http_sender import HttpSender
from api.app import create_app
from application.scopes import Scope
from application.services import Services
from application.tokens.access_tokens import AccessTokens
from domain.ports.database import ClientCredentials, Organisation
from domain.ports.keys import SecretKeys
from domain.ports.limits import Quotas
from domain.ports.object_store import Download, DownloadNotValid
from domain.session.materials import Materials
from domain.session.session import Session
from domain.shared.ids import ClientId, OrganisationId, SessionId
from domain.shared.object_names import digest
from tests.api.repositories import Repositories
from tests.application.uploads import pdfs
from tests.builders import ORGANISATION, audit, identifier, submission
from tests.fakes.access_keys import MemoryAccessKeys
from tests.fakes.batches import FakeBatchRuns
from tests.fakes.deliveries import FakeDeliveries
from tests.fakes.mail import MemoryMailer
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.fakes.seals import SEALER, seal
from tests.fakes.sessions import LINK_KEY, FakeSessions

Made = TypeVar("Made")

BASE_URL = "http://sign.example.com"
SECRET = "correct horse battery staple"
GRANT = {"grant_type": "client_credentials"}
EVERYTHING = tuple(scope.value for scope in Scope)
KEYS = SecretKeys(receipt=b"", link=LINK_KEY, cookie=b"c" * 32, download=b"d" * 32)
ACCESS_KEYS = MemoryAccessKeys()
TOKENS = AccessTokens(ACCESS_KEYS, BASE_URL)
UNLIMITED = Quotas(reads=0, writes=0, tokens=0, pages=0, sign_ins=0, links=0, checks=0, registrations=0)


def client_of(organisation: OrganisationId, name: str, **members: Any) -> ClientCredentials:
    """An API client whose secret is `SECRET`."""
    standard: dict[str, Any] = {"secret_sha256": digest(SECRET.encode()), "scopes": EVERYTHING}
    return ClientCredentials(ClientId(identifier(name)), organisation, name, **{**standard, **members})


OWN = client_of(ORGANISATION, "own client")
STRANGER = client_of(OrganisationId(identifier("another organisation")), "a stranger's client")


class SignedTokens:
    """Downloads by token, as a directory store hands them out."""

    def __init__(self) -> None:
        self.held: dict[str, tuple[bytes, Download]] = {}

    async def read_signed(self, token: str) -> tuple[bytes, Download]:
        if token not in self.held:
            raise DownloadNotValid
        return self.held[token]


_seeded: list[sqlite3.Connection] = []
"""The content of a database after the first `seed`, of which the others are copies."""


class SavedService(NamedTuple):
    """The state of a service."""

    content: sqlite3.Connection
    held: list[Any]


_prepared: dict[tuple[Hashable, str], tuple[Any, SavedService]] = {}


class Service(Repositories):
    """Everything of one API under test. What is not SQL is a fake."""

    def __init__(self, engine: AsyncEngine | None = None) -> None:
        super().__init__(engine)
        self.mailer = MemoryMailer()
        self.deliveries = FakeDeliveries()
        self.batch_runs = FakeBatchRuns(self.batches, self.services)
        self.objects = MemoryObjectStore()
        self.downloads = SignedTokens()
        self.sessions = FakeSessions(self.rows)
        self.app = create_app(self.services())

    def use(self, **others: Any) -> None:
        """Goes on as an application with these collaborators."""
        self.app = create_app(self.services(**others))

    def services(self, **others: Any) -> Services:
        members: dict[str, Any] = {
            **self.members(),
            "pool": InlinePool(),
            "callback_sender": HttpSender(private=True, try_seconds=5),
            "quarantine": InlinePool(),
            "checking": InlinePool(),
            "sealer": SEALER,
            "keys": KEYS,
            "access_keys": ACCESS_KEYS,
            "rate_limits": limit_in_memory(),
            "quotas": UNLIMITED,
            "base_url": BASE_URL,
            "download_lifetime": 300,
            "outbox": None,
        }
        return Services(**{**members, **others})

    async def seed(self) -> None:
        """Begins with the organisation of the tests, another one, and a client of each; nothing else is there."""
        if not _seeded:
            await self.add_organisations()
            _seeded.append(self.database.save())
        self.database.load(_seeded[0])

    async def add_organisations(self) -> None:
        await self.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
        await self.organisations.add(Organisation(STRANGER.organisation_id, "Another"))
        await self.organisations.add_client(OWN)
        await self.organisations.add_client(STRANGER)

    async def lose_answers(self) -> None:
        """Has every Idempotency-Key be one of a request that was executed and not answered."""

        def lose(row: IdempotencyKeyRow) -> None:
            row.answer, row.tried_at = None, None

        await self.database.edit(IdempotencyKeyRow, lose)

    def save(self) -> "SavedService":
        """Returns a copy of the state: the database, and what the fakes hold."""
        return SavedService(self.database.save(), [copy(part) for part in self._held()])

    def load(self, saved: "SavedService") -> None:
        """Replaces the state."""
        self.database.load(saved.content)
        for part, held in zip(self._held(), saved.held, strict=True):
            part.clear()
            part.extend(held) if isinstance(part, list) else part.update(held)

    def _held(self) -> list[Any]:
        fakes = (self.rows, self.sessions.runs, self.batch_runs, self.objects, self.mailer, self.deliveries)
        return [part for fake in fakes for part in vars(fake).values() if isinstance(part, dict | list | set)]

    async def prepare(self, name: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """Returns what `make` returns, and has the state that it leaves. `make` runs once for each state before it."""
        before = name, self.database.digest()
        if before not in _prepared:
            _prepared[before] = await make(), self.save()
        made, saved = _prepared[before]
        self.load(saved)
        return cast(Made, made)

    def http(self, client: ClientCredentials | None = OWN, app: FastAPI | None = None) -> httpx.AsyncClient:
        """Speaks as `client`, or without a token."""
        headers = bearer(client) if client else {}
        transport = httpx.ASGITransport(app=app or self.app, client=("192.0.2.7", 40000))
        return httpx.AsyncClient(transport=transport, base_url=BASE_URL, headers=headers)

    async def create(self, **changes: Any) -> dict[str, Any]:
        """Creates a session and gives the answer."""
        answer = await self.http().post("/api/v1/Session", json=session_request(**changes))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def complete(self, session_id: str) -> Session:
        """Has every recipient of a sent session sign."""
        session = self.sessions.held[SessionId(session_id)]
        for recipient in sorted(session.recipients, key=lambda r: r.signing_order):
            session = await self.sessions.take(session.sign(recipient.recipient_id, submission(recipient.key), audit()))
        return session

    async def generate(self, session: Session) -> Session:
        """Stores a signed PDF for every file."""
        for file in session.files:
            materials = Materials.of(session, file)
            sealed = await seal(pdfs.pdf(), SEALER, materials.statement)
            signed = await self.objects.put(materials.signed_name, sealed.pdf, "application/pdf")
            session = await self.sessions.take(session.add_signed_document(file.file_id, signed, audit()))
        return session


def bearer(
    client: ClientCredentials, scopes: tuple[str, ...] = EVERYTHING, at: datetime | None = None
) -> dict[str, str]:
    """The header of a token that was issued to `client` at that time."""
    return {"Authorization": f"Bearer {TOKENS.issue(client, scopes, at or datetime.now(UTC))}"}


def document(**changes: Any) -> dict[str, Any]:
    """A small agreement that Ada signs."""
    return {
        "format": "blocks",
        "title": "Agreement",
        "blocks": [
            {"type": "heading", "text": "1. Services"},
            {"type": "paragraph", "text": "The consultant advises the client."},
            {"type": "field", "fieldType": "text", "label": "Purchase order", "recipient": "ada"},
            {"type": "signatureBlock", "label": "For the client", "recipient": "ada"},
        ],
        **changes,
    }


def session_request(**changes: Any) -> dict[str, Any]:
    """A request that creates a session for Ada and Grace, who sign in that order."""
    return {
        "name": "Consulting agreement",
        "files": [{"type": "blocks", "document": document()}],
        "recipients": [
            {"key": "ada", "name": "Ada Lovelace", "email": "Ada@Example.com"},
            {"key": "grace", "name": "Grace Hopper", "email": "grace@example.com"},
        ],
        **changes,
    }


def issues_by_path(answer: httpx.Response) -> Mapping[str, str]:
    """The issues of a refusal, message by path."""
    return {issue["path"]: issue["message"] for issue in answer.json()["issues"]}

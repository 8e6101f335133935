"""Adds and changes API clients of an organisation."""

import secrets
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from application.scopes import Scope
from domain.audit.events import ActorKind, AuditContext
from domain.ports.administrative_acts import ActKind, AdministrativeActs, Change
from domain.ports.database import ClientCredentials, Organisations
from domain.ports.limits import SendingLimits
from domain.shared.errors import CodedError
from domain.shared.ids import ClientId, OrganisationId, UserId, is_identifier
from domain.shared.object_names import digest
from domain.shared.sending_limit import UNLIMITED, SendingLimit


class Credentials(BaseModel):
    """Credentials of a client. The database stores only a hash of the secret."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True)

    organisation_id: OrganisationId
    client_id: ClientId
    client_secret: str


class ClientNotFound(Exception):
    """The organisation has no such client."""


class ClientUnchangeable(CodedError, code="CLIENT_UNCHANGEABLE"):
    """Nothing was changed: the client is revoked permanently, or it has no secret to replace."""

    def __init__(self, client: ClientCredentials) -> None:
        self.client = client
        super().__init__()


async def find_client(
    organisations: Organisations, client_id: str, organisation_id: OrganisationId | None = None
) -> ClientCredentials:
    """Returns the client, of any organisation if `organisation_id` is None. Raises `ClientNotFound`."""
    client = await organisations.find_client(ClientId(client_id)) if is_identifier(client_id) else None
    if client is None or organisation_id not in {None, client.organisation_id}:
        raise ClientNotFound
    return client


class ClientExists(CodedError, code="CLIENT_EXISTS"):
    """There is a client with that id: the form was posted before."""


class ClientAdministration:
    """Adds and changes clients, and records each act of the actor of `audit`."""

    def __init__(self, organisations: Organisations, acts: AdministrativeActs, audit: AuditContext) -> None:
        self._organisations = organisations
        self._acts = acts
        self._audit = audit

    async def add(
        self,
        organisation_id: OrganisationId,
        name: str,
        scopes: Iterable[Scope],
        client_id: ClientId | None = None,
    ) -> Credentials:
        """Adds a client and returns its credentials: its secret cannot be read again.

        Raises `ClientExists` if there is one with `client_id`, which stays unchanged.
        """
        client_id, secret = client_id or ClientId(str(uuid4())), _new_secret()
        actor = self._audit.actor
        client = ClientCredentials(
            client_id=client_id,
            organisation_id=organisation_id,
            name=name,
            secret_sha256=digest(secret.encode()),
            scopes=tuple(scope.value for scope in scopes),
            created_by=UserId(actor.id) if actor.kind is ActorKind.USER else None,
            created_at=self._audit.at,
        )
        if not await self._organisations.add_client(client):
            raise ClientExists
        await self._record(client, ActKind.CLIENT_ADDED, after={"name": name, "scopes": [*client.scopes]})
        return Credentials(organisation_id=organisation_id, client_id=client_id, client_secret=secret)

    async def rotate_secret(self, client: ClientCredentials, *, ends_tokens: bool) -> Credentials:
        """Replaces the secret of the client, and returns the new one.

        `ends_tokens`: its tokens, signing URLs and batches end too. Raises `ClientUnchangeable`.
        """
        _require_active(client)
        if not client.secret_sha256:
            raise ClientUnchangeable(client)
        secret = _new_secret()
        await self._organisations.replace_secret(client.client_id, digest(secret.encode()))
        if ends_tokens:
            await self._organisations.end_tokens(client.client_id)
        await self._record(client, ActKind.CLIENT_SECRET_REPLACED, after={"tokensEnded": ends_tokens})
        return Credentials(organisation_id=client.organisation_id, client_id=client.client_id, client_secret=secret)

    async def replace_scopes(self, client: ClientCredentials, scopes: Iterable[Scope]) -> tuple[str, ...]:
        """Replaces the scopes of the client and of its tokens, and returns them. Raises `ClientUnchangeable`."""
        _require_active(client)
        chosen = frozenset(scopes)
        ordered = tuple(scope.value for scope in Scope if scope in chosen)
        await self._organisations.replace_scopes(client.client_id, ordered)
        before, after = {"scopes": [*client.scopes]}, {"scopes": [*ordered]}
        await self._record(client, ActKind.CLIENT_CHANGED, before, after)
        return ordered

    async def set_limit(self, budgets: SendingLimits, client: ClientCredentials, limit: SendingLimit) -> None:
        """Sets the sending limit of the client."""
        before = await budgets.find(client.client_id) or UNLIMITED
        await budgets.set(client.client_id, limit)
        await self._record(
            client, ActKind.CLIENT_CHANGED, before.model_dump(mode="json"), limit.model_dump(mode="json")
        )

    async def revoke(self, client: ClientCredentials) -> None:
        """Revokes the client permanently."""
        await self._organisations.revoke_client(client.client_id, self._audit.at)
        await self._record(client, ActKind.CLIENT_REVOKED, before={"name": client.name})

    async def _record(
        self,
        client: ClientCredentials,
        kind: ActKind,
        before: Mapping[str, Any] = MappingProxyType({}),
        after: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        change = Change(kind, client.client_id, before, after)
        await self._acts.add(client.organisation_id, self._audit, change)


def _require_active(client: ClientCredentials) -> None:
    if client.revoked_at is not None:
        raise ClientUnchangeable(client)


def _new_secret() -> str:
    """Returns a secret of 256 random bits, in URL-safe Base64."""
    return secrets.token_urlsafe(32)

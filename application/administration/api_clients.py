"""Adds API clients of an organisation, and replaces their secrets and scopes."""

import secrets
from collections.abc import Iterable
from uuid import uuid4

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from application.scopes import Scope
from domain.shared.ids import ClientId, OrganisationId, is_identifier
from domain.shared.object_names import digest
from ports.database import ClientCredentials, Organisations


class Credentials(BaseModel):
    """Credentials of a client. The database stores only a hash of the secret."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True)

    organisation_id: OrganisationId
    client_id: ClientId
    client_secret: str


class ClientNotFound(Exception):
    """The organisation has no such client."""


class ClientUnchangeable(Exception):
    """Nothing was changed: the client is revoked permanently, or it has no secret to replace."""

    def __init__(self, client: ClientCredentials) -> None:
        self.client = client
        super().__init__(client.client_id)


async def find_client(
    organisations: Organisations, client_id: str, organisation_id: OrganisationId | None = None
) -> ClientCredentials:
    """Returns the client, of any organisation if `organisation_id` is None. Raises `ClientNotFound`."""
    client = await organisations.find_client(ClientId(client_id)) if is_identifier(client_id) else None
    if client is None or organisation_id not in {None, client.organisation_id}:
        raise ClientNotFound
    return client


async def add_client(
    organisations: Organisations,
    organisation_id: OrganisationId,
    name: str,
    scopes: Iterable[Scope],
    client_id: ClientId | None = None,
) -> Credentials:
    """Adds a client and returns its credentials: its secret cannot be read again."""
    client_id, secret = client_id or ClientId(str(uuid4())), _new_secret()
    await organisations.add_client(
        ClientCredentials(
            client_id=client_id,
            organisation_id=organisation_id,
            name=name,
            secret_sha256=digest(secret.encode()),
            scopes=tuple(scope.value for scope in scopes),
        )
    )
    return Credentials(organisation_id=organisation_id, client_id=client_id, client_secret=secret)


async def rotate_secret(organisations: Organisations, client: ClientCredentials) -> Credentials:
    """Replaces the secret of the client, and returns the new one. Raises `ClientUnchangeable`."""
    _require_active(client)
    if not client.secret_sha256:
        raise ClientUnchangeable(client)
    secret = _new_secret()
    await organisations.replace_secret(client.client_id, digest(secret.encode()))
    return Credentials(organisation_id=client.organisation_id, client_id=client.client_id, client_secret=secret)


async def replace_scopes(
    organisations: Organisations, client: ClientCredentials, scopes: Iterable[Scope]
) -> tuple[str, ...]:
    """Replaces the scopes of the client and of its tokens, and returns them. Raises `ClientUnchangeable`."""
    _require_active(client)
    chosen = frozenset(scopes)
    ordered = tuple(scope.value for scope in Scope if scope in chosen)
    await organisations.replace_scopes(client.client_id, ordered)
    return ordered


def _require_active(client: ClientCredentials) -> None:
    if client.revoked_at is not None:
        raise ClientUnchangeable(client)


def _new_secret() -> str:
    """Returns a secret of 256 random bits, in URL-safe Base64."""
    return secrets.token_urlsafe(32)

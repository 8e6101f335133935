"""The first organisation with a client and a user: created once, reused by later starts."""

import secrets
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from adapters.files import write_private
from application.scopes import Scope
from domain.shared.ids import ClientId, OrganisationId, UserId
from domain.shared.object_names import digest
from domain.shared.roles import Role
from ports.database import ClientCredentials, Organisation, Organisations, User, Users

FIRST_ORGANISATION = Organisation(OrganisationId("5e0b9d2c-8a47-4c1e-9f53-2d6a7b18c0e4"), "Harbour & Finch")
"""The identifier is fixed: if the client's secret is lost, a new client finds the same sessions."""

FIRST_USER = User(
    user_id=UserId("c3f0a7f4-52d9-4f0e-8a6d-1b7e90d3a5c2"),
    organisation_id=FIRST_ORGANISATION.organisation_id,
    email="robin@harbourfinch.example",
    name="Robin Finch",
    role=Role.ADMINISTRATOR,
)
"""A user of the app; the sign-in link arrives in the outbox."""

CLIENT_NAME = "First client"
_FILE_NAME = "first-client.json"


class Credentials(BaseModel):
    """Credentials of a client. The database stores only a hash of the secret."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True)

    organisation_id: OrganisationId
    client_id: ClientId
    client_secret: str


def new_secret() -> str:
    """Returns a secret of 256 random bits, in URL-safe Base64."""
    return secrets.token_urlsafe(32)


async def add_client(
    organisations: Organisations, organisation_id: OrganisationId, name: str, scopes: tuple[Scope, ...]
) -> Credentials:
    """Adds a client and returns its credentials: its secret cannot be read again."""
    client_id, secret = ClientId(str(uuid4())), new_secret()
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


async def ensure_first_client(organisations: Organisations, data_dir: Path) -> Credentials:
    """Returns the credentials of the client that an earlier start created if they are valid, else of a new one."""
    if await organisations.get(FIRST_ORGANISATION.organisation_id) is None:
        await organisations.add(FIRST_ORGANISATION)
    file = data_dir / _FILE_NAME
    with suppress(OSError, ValidationError):
        stored = Credentials.model_validate_json(file.read_bytes())
        if await _is_valid(organisations, stored):
            return stored
    added = await add_client(organisations, FIRST_ORGANISATION.organisation_id, CLIENT_NAME, tuple(Scope))
    write_private(file, added.model_dump_json(by_alias=True, indent=2) + "\n")
    return added


async def ensure_first_user(users: Users) -> User:
    """Returns an enabled user of the first organisation; creates one if it has no users."""
    existing = await users.list(FIRST_ORGANISATION.organisation_id)
    enabled = next((user for user in existing if user.disabled_at is None), None)
    if enabled is None and not existing:
        await users.add(FIRST_USER)
    return enabled or FIRST_USER


async def _is_valid(organisations: Organisations, stored: Credentials) -> bool:
    client = await organisations.find_client(stored.client_id)
    return (
        client is not None
        and client.revoked_at is None
        and secrets.compare_digest(client.secret_sha256, digest(stored.client_secret.encode()))
    )

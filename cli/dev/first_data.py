"""The first organisation with a client and a user: created once, reused by later starts."""

import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from adapters.files import write_private
from application.administration.api_clients import ClientAdministration, Credentials
from application.scopes import Scope
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import AdministrativeActs
from domain.ports.database import Organisation, Organisations, User, Users
from domain.shared.ids import OrganisationId, UserId
from domain.shared.object_names import digest
from domain.shared.roles import Role

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


async def ensure_first_client(organisations: Organisations, acts: AdministrativeActs, data_dir: Path) -> Credentials:
    """Returns the credentials of the client that an earlier start created if they are valid, else of a new one."""
    if await organisations.get(FIRST_ORGANISATION.organisation_id) is None:
        await organisations.add(FIRST_ORGANISATION)
    file = data_dir / _FILE_NAME
    # A file that is missing or damaged is replaced: the client is for trying out.
    with suppress(OSError, ValidationError):
        stored = Credentials.model_validate_json(file.read_bytes())
        if await _is_valid(organisations, stored):
            return stored
    clients = ClientAdministration(organisations, acts, AuditContext.of_system(datetime.now(UTC)))
    added = await clients.add(FIRST_ORGANISATION.organisation_id, CLIENT_NAME, tuple(Scope))
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

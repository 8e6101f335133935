"""Organisations and their API clients in SQL."""

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import transaction
from adapters.database.port import ClientCredentials, Organisation
from adapters.database.tables import ClientRow, OrganisationRow
from domain.ids import ClientId, OrganisationId


class DatabaseOrganisations:
    """Keeps `Organisations`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, organisation: Organisation) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(OrganisationRow(organisation_id=organisation.organisation_id, name=organisation.name))

    async def get(self, organisation_id: OrganisationId) -> Organisation | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(OrganisationRow, organisation_id)
        return Organisation(OrganisationId(row.organisation_id), row.name) if row else None

    async def add_client(self, client: ClientCredentials) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(
                ClientRow(
                    client_id=client.client_id,
                    organisation_id=client.organisation_id,
                    name=client.name,
                    secret_sha256=client.secret_sha256,
                    scopes=list(client.scopes),
                    revoked_at=client.revoked_at,
                )
            )

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(ClientRow, client_id)
        if row is None:
            return None
        return ClientCredentials(
            client_id=ClientId(row.client_id),
            organisation_id=OrganisationId(row.organisation_id),
            name=row.name,
            secret_sha256=row.secret_sha256,
            scopes=tuple(row.scopes),
            revoked_at=row.revoked_at,
        )

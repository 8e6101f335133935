"""Organisations and their API clients in SQL."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, func, literal, select, update

from adapters.database.engine import reading, transaction
from adapters.database.records import to_record, to_row
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.organisations import ClientRow, OrganisationRow
from domain.shared.ids import ClientId, OrganisationId
from ports.database import ClientCredentials, Organisation


class DatabaseOrganisations:
    """Implements `Organisations`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, organisation: Organisation) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(to_row(OrganisationRow, organisation))

    async def get(self, organisation_id: OrganisationId) -> Organisation | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(OrganisationRow, organisation_id)
        return to_record(Organisation, row) if row else None

    async def list(self) -> tuple[Organisation, ...]:
        by_name = (OrganisationRow.name, OrganisationRow.organisation_id)
        async with transaction(self._engine) as rows:
            found = await rows.exec(select(OrganisationRow).order_by(*by_name))
            return tuple(to_record(Organisation, row) for row in found)

    async def add_client(self, client: ClientCredentials) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(to_row(ClientRow, client))

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        query = select(ClientRow).where(col(ClientRow.client_id) == client_id)
        async with reading(self._engine) as connection:
            row = (await connection.execute(query)).one_or_none()
        return to_record(ClientCredentials, row) if row else None

    async def list_clients(self, organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
        query = select(ClientRow).order_by(ClientRow.name, ClientRow.client_id)
        if organisation_id is not None:
            query = query.where(ClientRow.organisation_id == organisation_id)
        async with transaction(self._engine) as rows:
            return tuple(to_record(ClientCredentials, row) for row in await rows.exec(query))

    async def revoke_client(self, client_id: ClientId, at: datetime) -> ClientCredentials | None:
        return await self._change(client_id, revoked_at=func.coalesce(ClientRow.revoked_at, literal(at, UtcTime())))

    async def replace_secret(self, client_id: ClientId, secret_sha256: str) -> ClientCredentials | None:
        return await self._change(client_id, secret_sha256=secret_sha256)

    async def replace_scopes(self, client_id: ClientId, scopes: Sequence[str]) -> ClientCredentials | None:
        return await self._change(client_id, scopes=[*scopes])

    async def _change(self, client_id: ClientId, **members: object) -> ClientCredentials | None:
        async with transaction(self._engine) as rows:
            await rows.exec(update(ClientRow).where(col(ClientRow.client_id) == client_id).values(**members))
            row = await rows.get(ClientRow, client_id)
        return to_record(ClientCredentials, row) if row else None

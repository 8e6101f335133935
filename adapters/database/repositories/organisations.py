"""Organisations, their sender identities and their API clients in SQL."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, func, literal, select, update

from adapters.database.engine import insert_into, reading, transaction
from adapters.database.repositories.standings import CLIENT, OF_USER, to_standing
from adapters.database.repository import Repository, row_values, to_record, to_row
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.organisations import (
    ClientRow,
    OrganisationRow,
    SenderIdentityRow,
)
from domain.ports.database import ClientCredentials, Organisation
from domain.ports.sender_identity import NO_IDENTITY, Logo, SenderIdentity
from domain.shared.ids import ClientId, OrganisationId
from domain.shared.roles import Role
from domain.shared.standing import ENDED, IN_FORCE, Standing


class DatabaseOrganisations(Repository):
    """Implements `Organisations`."""

    async def add(self, organisation: Organisation) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(to_row(OrganisationRow, organisation))

    async def change(self, before: Organisation, after: Organisation) -> None:
        old, new = row_values(OrganisationRow, before), row_values(OrganisationRow, after)
        changed = {name: value for name, value in new.items() if value != old[name]}
        if changed:
            mine = col(OrganisationRow.organisation_id) == before.organisation_id
            await self._write(update(OrganisationRow).where(mine).values(changed))

    async def get(self, organisation_id: OrganisationId) -> Organisation | None:
        return await self._get(Organisation, OrganisationRow, organisation_id)

    async def list(self) -> tuple[Organisation, ...]:
        by_name = (OrganisationRow.name, OrganisationRow.organisation_id)
        return await self._list(Organisation, select(OrganisationRow).order_by(*by_name))

    async def add_client(self, client: ClientCredentials) -> bool:
        addition = insert_into(ClientRow, self._engine.dialect).values(row_values(ClientRow, client))
        return bool(await self._write(addition.on_conflict_do_nothing()))

    async def find_client(self, client_id: ClientId) -> ClientCredentials | None:
        async with reading(self._engine) as connection:
            row = (await connection.execute(CLIENT, {"client_id": client_id})).one_or_none()
        if row is None:
            return None
        role = Role(row.role) if row.role else None
        return to_record(ClientCredentials, row, approver_role=role, standing=to_standing(row))

    async def close(self, organisation_id: OrganisationId, at: datetime) -> None:
        closed_at = func.coalesce(OrganisationRow.closed_at, literal(at, UtcTime()))
        mine = col(OrganisationRow.organisation_id) == organisation_id
        await self._write(update(OrganisationRow).where(mine).values(closed_at=closed_at))

    async def find_standing(self, organisation_id: OrganisationId, origin: str) -> Standing:
        if "|" in origin:  # a client of the external issuer
            organisation = await self.get(organisation_id)
            return IN_FORCE if organisation is not None and organisation.closed_at is None else ENDED
        client = await self.find_client(ClientId(origin))
        if client is not None:
            return client.standing if client.organisation_id == organisation_id else ENDED
        async with reading(self._engine) as connection:
            key = {"organisation_id": organisation_id, "user_id": origin}
            user = (await connection.execute(OF_USER, key)).one_or_none()
        return to_standing(user) if user is not None else ENDED

    async def end_tokens(self, client_id: ClientId) -> None:
        await self._change(client_id, generation=ClientRow.generation + 1)

    async def list_clients(self, organisation_id: OrganisationId | None) -> tuple[ClientCredentials, ...]:
        query = select(ClientRow).order_by(ClientRow.name, ClientRow.client_id)
        if organisation_id is not None:
            query = query.where(ClientRow.organisation_id == organisation_id)
        return await self._list(ClientCredentials, query)

    async def revoke_client(self, client_id: ClientId, at: datetime) -> ClientCredentials | None:
        return await self._change(client_id, revoked_at=func.coalesce(ClientRow.revoked_at, literal(at, UtcTime())))

    async def replace_secret(self, client_id: ClientId, secret_sha256: str) -> ClientCredentials | None:
        return await self._change(client_id, secret_sha256=secret_sha256)

    async def replace_scopes(self, client_id: ClientId, scopes: Sequence[str]) -> ClientCredentials | None:
        return await self._change(client_id, scopes=[*scopes])

    async def _change(self, client_id: ClientId, **members: object) -> ClientCredentials | None:
        await self._write(update(ClientRow).where(col(ClientRow.client_id) == client_id).values(**members))
        return await self._get(ClientCredentials, ClientRow, client_id)


class DatabaseSenderIdentities(Repository):
    """Implements `SenderIdentities`."""

    async def find(self, organisation_id: OrganisationId) -> SenderIdentity:
        row = await self._find_row(SenderIdentityRow, organisation_id)
        if row is None:
            return NO_IDENTITY
        has_logo = row.logo is not None and row.logo_width and row.logo_height
        logo = Logo(row.logo or b"", row.logo_width or 0, row.logo_height or 0) if has_logo else None
        return to_record(SenderIdentity, row, logo=logo)

    async def store(self, organisation_id: OrganisationId, identity: SenderIdentity) -> None:
        logo = identity.logo
        columns = {
            "logo": logo.content if logo else None,
            "logo_width": logo.width if logo else None,
            "logo_height": logo.height if logo else None,
        }
        values = row_values(SenderIdentityRow, identity, organisation_id=organisation_id, **columns)
        addition = insert_into(SenderIdentityRow, self._engine.dialect).values(values)
        await self._write(addition.on_conflict_do_update(index_elements=["organisation_id"], set_=values))

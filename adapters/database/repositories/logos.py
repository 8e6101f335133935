"""The logos of organisations in SQL."""

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import transaction
from adapters.database.records import to_record, to_row
from adapters.database.tables.organisations import LogoRow
from domain.shared.ids import OrganisationId
from ports.mail import Logo


class DatabaseLogos:
    """Implements `Logos`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def find(self, organisation_id: OrganisationId) -> Logo | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(LogoRow, organisation_id)
        return to_record(Logo, row) if row else None

    async def store(self, organisation_id: OrganisationId, logo: Logo) -> None:
        async with transaction(self._engine) as rows:
            await rows.merge(to_row(LogoRow, logo, organisation_id=organisation_id))

    async def remove(self, organisation_id: OrganisationId) -> None:
        async with transaction(self._engine) as rows:
            row = await rows.get(LogoRow, organisation_id)
            if row is not None:
                await rows.delete(row)

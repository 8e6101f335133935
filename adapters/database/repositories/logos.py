"""The logos of organisations in SQL: small enough to lie beside their names."""

from sqlalchemy import Column, LargeBinary
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import Field, SQLModel

from adapters.database.engine import transaction
from domain.shared.ids import OrganisationId
from ports.mail import Logo


class LogoRow(SQLModel, table=True):
    """A logo as mails show it: PNG, and its size in CSS pixels."""

    __tablename__ = "logos"

    organisation_id: str = Field(primary_key=True, max_length=36)
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    width: int
    height: int


class DatabaseLogos:
    """Implements `Logos`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def find(self, organisation_id: OrganisationId) -> Logo | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(LogoRow, organisation_id)
        return Logo(row.content, row.width, row.height) if row else None

    async def store(self, organisation_id: OrganisationId, logo: Logo) -> None:
        row = LogoRow(organisation_id=organisation_id, content=logo.content, width=logo.width, height=logo.height)
        async with transaction(self._engine) as rows:
            await rows.merge(row)

    async def remove(self, organisation_id: OrganisationId) -> None:
        async with transaction(self._engine) as rows:
            row = await rows.get(LogoRow, organisation_id)
            if row is not None:
                await rows.delete(row)

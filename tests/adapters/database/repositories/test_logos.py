"""What the database promises about the logos of organisations, on the fake and on both databases."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.organisations import DatabaseLogos
from domain.shared.ids import OrganisationId
from ports.mail import Logo, Logos
from tests.builders import ORGANISATION, identifier

ONE, OTHER = Logo(b"one", 120, 32), Logo(b"other", 60, 56)


@pytest.fixture
def logos(database: AsyncEngine) -> Logos:
    return DatabaseLogos(database)


async def test_a_logo_is_kept_replaced_and_removed(logos: Logos) -> None:
    stranger = OrganisationId(identifier("stranger"))
    seen = [await logos.find(ORGANISATION)]
    for logo in (ONE, OTHER):
        await logos.store(ORGANISATION, logo)
        seen.append(await logos.find(ORGANISATION))
    assert await logos.find(stranger) is None
    for _ in range(2):
        await logos.remove(ORGANISATION)
    seen.append(await logos.find(ORGANISATION))
    assert seen == [None, ONE, OTHER, None]

import pytest

from tests.api.pages.app.office import Office
from tests.api.service import Service


@pytest.fixture
async def office() -> Office:
    service = Service()
    await service.seed()
    made = Office(service)
    await made.seed()
    return made

import pytest

from tests.api.service import Service
from tests.web.app.office import Office


@pytest.fixture
async def office() -> Office:
    service = Service()
    await service.seed()
    made = Office(service)
    await made.seed()
    return made

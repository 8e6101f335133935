import pytest

from tests.api.service import Service
from tests.web.app.office import Office, Visitor


@pytest.fixture
async def office() -> Office:
    service = Service()
    await service.seed()
    made = Office(service)
    await made.seed()
    return made


@pytest.fixture
async def ada(office: Office) -> Visitor:
    """Ada, signed in."""
    return await office.come_in()

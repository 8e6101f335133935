import pytest

from tests.api.service import Service
from tests.web.app.office import Made, Office, Visitor


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


@pytest.fixture
async def draft(office: Office) -> Made:
    return await office.service.create()


@pytest.fixture
async def sent(office: Office) -> Made:
    return await office.service.create(sendImmediately=True)


@pytest.fixture
async def with_callback(office: Office) -> Made:
    """A draft with webhooks."""
    return await office.service.create(callbackUrl="https://hooks.example.com/x")

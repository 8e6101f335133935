import pytest

from tests.api.oauth.program import Program
from tests.api.service import Service
from tests.web.app.office import Office


@pytest.fixture
async def office() -> Office:
    service = Service()
    await service.seed()
    made = Office(service)
    await made.seed()
    return made


@pytest.fixture
async def program(office: Office) -> Program:
    """A program that can keep no secret, registered."""
    return await Program(office).register()

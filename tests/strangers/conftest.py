import pytest

from tests.api.service import Service


@pytest.fixture
async def service() -> Service:
    made = Service()
    await made.seed()
    return made

from collections.abc import AsyncIterator, Iterator

import pytest

from application.tokens.openid_code_flow import REDIRECT_PATH
from tests.api.oauth.program import Program
from tests.api.service import BASE_URL, Service
from tests.http_requests import local_client
from tests.issuer import Issuer, kept, running_issuer
from tests.openid_provider import Provider
from tests.web.app.office import Made, Office, Visitor
from tests.web.app.provider import use


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
async def program(office: Office) -> Program:
    """A registered program of others."""
    return await Program(office, members={"client_name": "Tidy <Assistant>"}).register()


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


@pytest.fixture(scope="module")
def running() -> Iterator[Issuer]:
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture
def provider(running: Issuer) -> Iterator[Provider]:
    """The provider at which Ada is signed in."""
    with kept(running):
        yield Provider(running, f"{BASE_URL}{REDIRECT_PATH}")
    running.asked.clear()


@pytest.fixture
async def acme(office: Office, provider: Provider) -> AsyncIterator[Office]:
    """The office, whose people may sign in by the provider."""
    async with local_client() as http:
        use(office, provider, http)
        yield office

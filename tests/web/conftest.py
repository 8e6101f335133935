import pytest

from domain.session.session import Session
from tests.web.desk import Desk, Visitor


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def session(desk: Desk) -> Session:
    """A session that was just sent."""
    return await desk.send()


@pytest.fixture
async def ada(desk: Desk, session: Session) -> Visitor:
    """Ada, with the documents of `session` open."""
    return await desk.come_in(session)

import pytest

from tests.web.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()

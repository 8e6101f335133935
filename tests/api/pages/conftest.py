import pytest

from tests.api.pages.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()

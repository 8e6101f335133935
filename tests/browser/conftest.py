from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser, expect

from tests.browser.chromium import start_chromium
from tests.browser.house import House, open_house
from tests.browser.visitor import PATIENCE, Visitor, at_desk, on_phone

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A whole installation, for all tests in browsers."""
    with open_house(tmp_path_factory.mktemp("browsers") / "kept") as house:
        yield house


@pytest.fixture(scope="package")
async def browser() -> AsyncIterator[Browser]:
    async with start_chromium() as browser:
        yield browser


@pytest.fixture
async def desk(browser: Browser) -> AsyncIterator[Visitor]:
    """A visitor at a desk; fails if their browser logged errors."""
    async with at_desk(browser) as visitor:
        yield visitor
    assert visitor.errors == []


@pytest.fixture
async def phone(browser: Browser) -> AsyncIterator[Visitor]:
    """A visitor with a phone; fails if their browser logged errors."""
    async with on_phone(browser) as visitor:
        yield visitor
    assert visitor.errors == []


@pytest.fixture(params=["desk", "phone"])
def visitor(request: pytest.FixtureRequest) -> Visitor:
    """The same test at a desk and on a phone."""
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]

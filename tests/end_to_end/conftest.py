from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest

from tests import http_requests
from tests.end_to_end.access import client_of
from tests.end_to_end.agreement import Agreement, sign_example
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.tcp_ports import free_port
from undersign import Client

LIFETIME = 15
"""Seconds for which a download address works here: short enough to see it end, and long enough to be used."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reads the logs last, when they are complete."""
    items.sort(key=lambda item: "end_to_end" in item.path.parts and item.path.name == "test_logs.py")


@pytest.fixture(scope="package")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A running service that no test stops."""
    with Installation(
        tmp_path_factory.mktemp("undersign") / "kept",
        UNDERSIGN_DOWNLOAD_LIFETIME=f"{LIFETIME}",
        UNDERSIGN_WORKER_PORT=f"{free_port()}",
    ) as installation:
        yield installation


@pytest.fixture(scope="package")
def started_to_be_killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    installation = Installation(tmp_path_factory.mktemp("killed") / "kept", UNDERSIGN_WORKER_PORT=f"{free_port()}")
    installation.start()
    yield installation
    installation.stop()


@pytest.fixture
def own_installation(started_to_be_killed: Installation) -> Installation:
    """A running service that the test may stop or kill. Earlier tests have done so, and left sessions there."""
    if not started_to_be_killed.is_running:
        started_to_be_killed.start()
    eventually(lambda: _is_ready(started_to_be_killed), "everything answers again")
    return started_to_be_killed


def _is_ready(installation: Installation) -> bool:
    with suppress(httpx.TransportError):
        return http_requests.get(f"{installation.dev_info.api_url}/readyz").is_success
    return False


@pytest.fixture
def service(installation: Installation) -> Client:
    return installation.service


@pytest.fixture
def http(installation: Installation) -> Iterator[httpx.Client]:
    """A client with an access token, for answers of every kind."""
    with client_of(installation) as client:
        yield client


@pytest.fixture(scope="package")
def signed(installation: Installation) -> Agreement:
    return sign_example(installation)

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from cli.demo.command import connect
from tests import http_requests
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.ports import free_port
from undersign import Client

LIFETIME = 15
"""Seconds for which a download address works here: short enough to see it end, and long enough to be used."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Reads the logs when everything has happened that can be in them."""
    items.sort(key=lambda item: item.path.name == "test_logs.py" and item.path.parent == Path(__file__).parent)


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A running service that no test stops."""
    installation = Installation(
        tmp_path_factory.mktemp("undersign") / "kept",
        UNDERSIGN_DOWNLOAD_LIFETIME=f"{LIFETIME}",
        UNDERSIGN_WORKER_PORT=f"{free_port()}",
    )
    installation.start()
    yield installation
    assert installation.stop() == 0, installation.output


@pytest.fixture(scope="session")
def started_to_be_killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    installation = Installation(tmp_path_factory.mktemp("killed") / "kept", UNDERSIGN_WORKER_PORT=f"{free_port()}")
    installation.start()
    yield installation
    installation.stop()


@pytest.fixture
def own_installation(started_to_be_killed: Installation) -> Installation:
    """A running service that the test may stop or kill. Tests before it have done so, and left sessions there."""
    if not started_to_be_killed.is_running:
        started_to_be_killed.start()
    eventually(lambda: _is_ready(started_to_be_killed), "everything answers again")
    return started_to_be_killed


def _is_ready(installation: Installation) -> bool:
    with suppress(httpx.TransportError):
        return http_requests.get(f"{installation.dev_info.api_url}/readyz").is_success
    return False


@pytest.fixture
def service(installation: Installation) -> Iterator[Client]:
    calls = connect(installation.dev_info)
    yield calls
    calls.close()


@pytest.fixture
def http(installation: Installation) -> Iterator[httpx.Client]:
    """A client with an access token, for answers of every kind."""
    with client_of(installation) as client:
        yield client


@contextmanager
def client_of(installation: Installation) -> Iterator[httpx.Client]:
    """A client of that installation, with an access token."""
    dev_info = installation.dev_info
    with httpx.Client(base_url=dev_info.api_url, trust_env=False, timeout=http_requests.PATIENCE) as client:
        answer = client.post(
            "/oidc/token", data={"grant_type": "client_credentials"}, auth=(dev_info.client_id, dev_info.client_secret)
        )
        client.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"
        yield client

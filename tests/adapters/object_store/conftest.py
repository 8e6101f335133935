import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from google.cloud import storage

from tests.adapters.faulty_proxy import FaultyProxy, faulty_proxy
from tests.adapters.google_accounts import new_account, token_server
from tests.adapters.google_server import client_at, google_server


@pytest.fixture(scope="session")
def storage_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Google Cloud Storage for all tests."""
    with google_server(tmp_path_factory.mktemp("buckets")) as address:
        yield address


@pytest.fixture
def client(storage_server: str) -> Iterator[storage.Client]:
    client = client_at(storage_server)
    yield client
    client.close()


@pytest.fixture
def proxy(storage_server: str) -> Iterator[FaultyProxy]:
    with faulty_proxy(storage_server) as proxy:
        yield proxy


@pytest.fixture
def bucket(proxy: FaultyProxy) -> Iterator[storage.Bucket]:
    """A new bucket behind the proxy."""
    client = client_at(proxy.address)
    yield client.create_bucket(f"bucket-{uuid4()}")
    client.close()


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The environment names the key file of a service account."""
    with token_server() as tokens:
        path = tmp_path / "key.json"
        path.write_text(json.dumps(new_account(tokens).key_file()), encoding="utf-8")
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
        yield

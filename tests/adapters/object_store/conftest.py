from collections.abc import Iterator

import pytest

from tests.adapters.google_server import google_server


@pytest.fixture(scope="session")
def storage_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Google Cloud Storage for all tests."""
    with google_server(tmp_path_factory.mktemp("buckets")) as address:
        yield address

"""An installation with PostgreSQL, Google's storage, a mail server, a timestamp authority and encrypted payloads."""

from collections.abc import Iterator

import pytest

from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.backends import OperatorBackends, start_backends
from tests.end_to_end.agreement import Agreement, sign_example
from tests.end_to_end.conftest import LIFETIME
from tests.end_to_end.installation import Installation

SENDER = "contracts@northwind.example"


@pytest.fixture(scope="package")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OperatorBackends]:
    folder = tmp_path_factory.mktemp("backends")
    with start_backends(folder, folder / "data" / "outbox") as backends:
        yield backends


@pytest.fixture(scope="package")
def authority() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


@pytest.fixture(scope="package")
def installation(backends: OperatorBackends, authority: TimestampServer) -> Iterator[Installation]:
    data = backends.outbox.parent
    roots = data.with_name("roots.pem")
    roots.write_bytes(authority.roots_pem())
    with Installation(
        data,
        **backends.settings,
        UNDERSIGN_DOWNLOAD_LIFETIME=f"{LIFETIME}",
        UNDERSIGN_SENDER_EMAIL=SENDER,
        UNDERSIGN_TIMESTAMP_URL=authority.address,
        UNDERSIGN_TIMESTAMP_ROOTS=str(roots),
    ) as installation:
        yield installation


@pytest.fixture(scope="package")
def signed(installation: Installation) -> Agreement:
    return sign_example(installation)

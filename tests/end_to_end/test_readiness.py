"""What `/readyz` says of a service that runs."""

import pytest

from tests import http_requests
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually

pytestmark = pytest.mark.installation


def test_everything_that_the_service_depends_on_has_a_row_and_is_ready(installation: Installation) -> None:
    def all_ready() -> list[str] | None:
        standing = http_requests.get(f"{installation.dev_info.api_url}/readyz").json()  # also while one is not ready
        rows = standing["dependencies"]
        return None if any(row["advice"] for row in rows) else [row["name"] for row in rows]

    assert eventually(all_ready, "all are ready") == [
        "database",
        "storage",
        "temporal",
        "keys",
        "workers/sessions",
        "workers/documents",
        "workers/callbacks",
        "workers/callbacks-failing",
        "mail",
    ]

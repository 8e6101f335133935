"""What `/readyz` says of a service that runs."""

import httpx

from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually


def test_everything_that_the_service_depends_on_has_a_row_and_is_ready(installation: Installation) -> None:
    def rows() -> dict[str, str | None]:
        answer = httpx.get(f"{installation.handle.api_url}/readyz", trust_env=False)
        return {row["name"]: row["advice"] for row in answer.raise_for_status().json()["dependencies"]}

    eventually(lambda: not any(rows().values()), "all are ready")
    assert list(rows()) == [
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

"""What `undersign doctor` and `/readyz` report of a service that runs."""

import json

from tests import http_requests
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually


def test_doctor_finds_no_failure(installation: Installation) -> None:
    done = installation.run("doctor", "--json")

    result = json.loads(done.stdout)
    assert [finding for finding in result["findings"] if finding["state"] == "failed"] == []
    assert (done.returncode, result["ok"], done.stderr) == (0, True, "")
    local, others = "settings keys seal fonts processes canary disk", "sessions mail sign-in timestamps clock"
    shared = "database connections installation public-address rate-limits storage temporal workers runs"
    checked = f"{local} {shared} {others}"
    assert [finding["name"] for finding in result["findings"]] == checked.split()
    assert installation.dev_info.api_url in result["findings"][0]["message"]


def test_everything_that_the_service_depends_on_has_a_row_and_is_ready(installation: Installation) -> None:
    def all_ready() -> list[str] | None:
        report = http_requests.get(f"{installation.dev_info.api_url}/readyz").json()  # also while one is not ready
        rows = report["dependencies"]
        return None if any(row["advice"] for row in rows) else [row["name"] for row in rows]

    queues = [f"workers/{queue}" for queue in ("sessions", "documents", "batches", "callbacks", "callbacks-failing")]
    assert eventually(all_ready, "all are ready") == [
        "database",
        "storage",
        "temporal",
        "keys",
        "installation",
        *queues,
        "runs",
        "mail",
    ]

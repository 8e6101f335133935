"""`undersign doctor` on an installation that runs, and with settings that make no sense."""

import json

import pytest

from tests.end_to_end.installation import Installation

pytestmark = pytest.mark.installation


def test_an_installation_that_runs_is_well(installation: Installation) -> None:
    done = installation.run("doctor", "--json")

    told = json.loads(done.stdout)
    assert [one for one in told["findings"] if one["state"] == "failed"] == []
    assert (done.returncode, told["ok"], done.stderr) == (0, True, "")
    checked = "settings keys seal fonts canary database storage temporal workers sessions mail timestamps clock"
    assert [one["name"] for one in told["findings"]] == checked.split()
    assert installation.dev_info.api_url in told["findings"][0]["message"]

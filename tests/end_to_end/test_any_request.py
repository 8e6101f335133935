"""Responses to generated requests match the description of the API; `make fuzz` sends more of them."""

import re
from pathlib import Path

from tests.end_to_end.installation import Installation
from tests.fuzz.run import Fuzz


def test_responses_to_generated_requests_match_the_description(installation: Installation, tmp_path: Path) -> None:
    done = Fuzz(examples=12, phases=("examples", "fuzzing", "stateful")).run(installation.dev_info, tmp_path)

    counted = re.search(r"(\d+) generated", done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert counted, done.stdout
    assert int(counted[1]) > 300

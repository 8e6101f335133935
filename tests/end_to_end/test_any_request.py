"""Whatever is asked is answered as the description of the API says; `make fuzz` asks for longer."""

import re
from pathlib import Path

import pytest

from tests.end_to_end.installation import Installation
from tests.fuzz.run import Fuzz

pytestmark = pytest.mark.installation


def test_requests_made_from_the_description_find_nothing_that_it_does_not_say(
    installation: Installation, tmp_path: Path
) -> None:
    done = Fuzz(examples=12, phases=("examples", "fuzzing", "stateful")).run(installation.dev_info, tmp_path)

    counted = re.search(r"(\d+) generated", done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert counted, done.stdout
    assert int(counted[1]) > 300

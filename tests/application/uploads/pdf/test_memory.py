"""What files that were made to do harm cost the process that answers requests: little, whatever they are."""

import json
import subprocess
import sys
from pathlib import Path

from tests import ROOT
from tests.application.uploads.pdf.uploads import write

MOST_GROWTH = 120
"""Megabytes between two small files and the last of many hostile ones; a body of 7 MB is some 30 on its way in."""


def test_the_memory_of_the_service_stays_flat_while_hostile_files_come(tmp_path: Path) -> None:
    write(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "tests.application.uploads.pdf.uploads", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout.splitlines()[-1])
    assert [answer["status"] for answer in answers] == [answer["wanted"] for answer in answers], done.stdout
    assert answers[-1]["peak"] - answers[1]["peak"] < MOST_GROWTH, done.stdout

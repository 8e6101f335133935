"""Prepared uploads, sealed by the service and attacked: what is genuine looks the same in five readers.

PREPARED says how many are tried, and SEED repeats a run. A file that fails is kept in build/attacks, with its pictures.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.sealing.timestamp_server import TimestampServer, serving_timestamps
from tests.attacks import readers
from tests.attacks.campaign import Campaign, Failure, sealers

COUNT = int(os.environ.get("PREPARED", "1000"))
SEED = int(os.environ.get("SEED", "") or 1)
KEPT = Path("build/attacks")

pytestmark = [pytest.mark.poppler, pytest.mark.ghostscript, pytest.mark.node]


@pytest.fixture(scope="module")
def clock() -> Iterator[TimestampServer]:
    with serving_timestamps() as server:
        yield server


def test_what_is_genuine_looks_the_same_to_all_readers(clock: TimestampServer) -> None:
    campaign = Campaign(SEED, sealers(clock))
    campaign.run(COUNT)
    told = [_kept(failure) for failure in campaign.failures]
    counts = "\n".join(f"{count:6} {name}" for name, count in campaign.counts.most_common(12))
    assert not told, "\n".join([f"SEED={SEED} PREPARED={COUNT} repeats this:", *told, counts])


def _kept(failure: Failure) -> str:
    """Writes the file and its pictures; returns in one line what is wrong."""
    attack = failure.attack
    name = re.sub(r"\W+", "-", attack.told)[:80].strip("-")
    folder = KEPT / f"{SEED}-{attack.number}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "attack.pdf").write_bytes(attack.pdf or attack.upload)
    readers.save_pictures(failure.drawn, folder)
    return f"{attack.number}: {attack.told}: {failure.why} ({folder})"

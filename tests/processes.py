"""Starts processes of the service: their settings come from the test alone, their output goes into a log."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests import ROOT

_SMALL = {
    "UNDERSIGN_POOL_PROCESSES": "1",
    **{f"UNDERSIGN_{kind}_PER_MINUTE": "0" for kind in ("READS", "WRITES", "TOKENS", "PAGES")},
}


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """Returns variables for this tree's code on `data_dir`: one pool process, no rate limits, and `settings`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
    return {**inherited, "PYTHONPATH": str(ROOT), "UNDERSIGN_DATA_DIR": str(data_dir), **_SMALL, **settings}


def start(command: Sequence[str], variables: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Starts `command` in a process group of its own; its output is appended to `log`."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )

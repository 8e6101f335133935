"""A process that is killed leaves no line that is not of its log."""

import signal
import subprocess
import sys
from pathlib import Path

from tests import ROOT
from tests.http_requests import PATIENCE

KILLED = """
import asyncio, os, signal
from adapters.processes.pool import SpawnedProcessPool

async def work():
    pool = SpawnedProcessPool(1)
    print(await pool.run(os.getpid), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(work())
"""


def test_a_parent_with_children_that_is_killed_leaves_standard_error_empty(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)

    # Ends when the last process has closed its standard error: children and Python's resource tracker too.
    done = subprocess.run(
        [sys.executable, script],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode == -signal.SIGKILL
    assert done.stdout.strip().isdigit()
    assert done.stderr == ""

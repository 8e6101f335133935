"""The service with a folder of keys that it cannot write to, as a read-only mount is."""

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from cli.demo.command import run_demo
from cli.output import Progress
from tests.end_to_end.installation import COMMAND, Installation

pytestmark = pytest.mark.installation

AS_OTHERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search")
"""Without these capabilities root is refused what the bits of a file refuse."""


def test_a_service_starts_signs_and_checks_itself_with_keys_that_it_cannot_write(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "data")
    installation.start()
    run_demo(installation.data_dir, tmp_path / "documents", Progress(Console(file=io.StringIO())))
    assert installation.stop() == 0, installation.output
    keys = installation.data_dir / "keys"
    before = {path.relative_to(keys): path.stat().st_mtime_ns for path in keys.rglob("*")}
    for folder in [keys, *(path for path in keys.rglob("*") if path.is_dir())]:
        folder.chmod(0o500)
    if os.geteuid() == 0:
        installation.command = (*AS_OTHERS, *COMMAND)
    try:
        assert installation.run("key", "rotate").returncode != 0, "the folder can be written"
        installation.start()
        run_demo(installation.data_dir, tmp_path / "documents", Progress(Console(file=io.StringIO())))
        doctor = installation.run("doctor")
        assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    finally:
        assert installation.stop() == 0, installation.output
    assert {path.relative_to(keys): path.stat().st_mtime_ns for path in keys.rglob("*")} == before

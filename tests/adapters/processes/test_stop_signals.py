"""API and worker end at a stop signal at every moment of their start, also as the first process of a container."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.processes.stop_signals import STOP_SIGNALS
from tests import ROOT

STOP_AT_FIRST_IMPORT = """
import os, sys
from importlib.abc import MetaPathFinder

class StopAtFirstImport(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "structlog":
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, StopAtFirstImport())
"""
"""Each process imports structlog before other large packages."""

both = pytest.mark.parametrize("module", ["api", "worker"])
each = pytest.mark.parametrize("number", STOP_SIGNALS)


def start(module: str, **variables: str) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSIGN_")}
    return subprocess.Popen(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env={**environment, **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


@both
@each
def test_a_signal_during_the_imports_ends_the_process(module: str, number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(STOP_AT_FIRST_IMPORT.format(number=int(number)))
    process = start(module, PYTHONPATH=str(tmp_path))

    _, output = process.communicate(timeout=60)

    assert (process.returncode, output) == (0, b"")


@both
def test_a_signal_while_the_process_waits_for_a_server_ends_it(module: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        process = start(
            module,
            UNDERSIGN_DATA_DIR=str(tmp_path),
            UNDERSIGN_DATABASE_URL=f"postgresql://user:password@{address}/undersign",
            UNDERSIGN_TEMPORAL_ADDRESS=address,
        )
        connection, _ = silent.accept()
        with connection:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=10)

    assert process.returncode == 0

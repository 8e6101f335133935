"""The wheel, built once, and an environment into which it was installed without the lock."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `python -m build` or `uv build` make it."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment after `pip install` of the wheel, with the newest packages that it admits."""
    environment = tmp_path_factory.mktemp("environment")
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    _run(*pip(environment / "bin"), "install", "--no-compile", "-q", str(wheel))
    return environment / "bin"


def pip(programs: Path) -> list[str]:
    """Returns the command that manages the environment with these programs."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(programs / "python")]


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

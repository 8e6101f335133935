"""The wheels of the service and of the client, built once, and environments into which they were installed."""

import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.deploy.files import run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `python -m build` or `uv build` make it."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment after `pip install` of the wheel, with the newest packages that it admits."""
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    run(*pip(environment / "bin"), "install", "--no-compile", "-q", f"{wheel}[dev]")
    return environment / "bin"


@pytest.fixture(scope="session")
def client_installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment after `pip install` of the client's wheel."""
    folder = tmp_path_factory.mktemp("client")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT / "clients" / "python")
    (archive,) = folder.glob("*.tar.gz")
    run("tar", "-xzf", archive, cwd=folder)
    (source,) = folder.glob("undersign_client-*/")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    (wheel,) = folder.glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "environment")
    run(*pip(folder / "environment" / "bin"), "install", "--no-compile", "-q", wheel)
    return folder / "environment" / "bin"


def pip(programs: Path) -> list[str]:
    """Returns the command that manages the environment with these programs."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(programs / "python")]

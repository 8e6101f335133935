"""Reads the files of `deploy/`."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from typer.main import get_command

from cli.main import app
from config.settings import Settings
from tests import ROOT

DEPLOY = ROOT / "deploy"

SETTINGS = {f"UNDERSIGN_{name}".upper() for name in Settings.model_fields}

MODULES = {"api": ROOT / "api/__main__.py", "worker": ROOT / "worker.py"}


def read(path: Path) -> Any:
    """Returns the only document of a YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def read_all(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields all documents in the YAML files of a folder, with the file name."""
    for path in sorted(folder.glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            yield path.name, document


def project() -> dict[str, Any]:
    """Returns the content of `pyproject.toml`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def is_command(command: list[str]) -> bool:
    """Returns whether the image can run it: an existing module, or a command of `undersign`."""
    match command:
        case ["python", "-m", module]:
            return MODULES[module].is_file()
        case ["undersign", *words]:
            return _is_known(words)
    return False


def _is_known(words: list[str]) -> bool:
    known: Any = get_command(app)
    for word in words:
        known = getattr(known, "commands", {}).get(word)
        if known is None:
            return False
    return True


def seconds(text: str) -> int:
    """Returns a duration such as `30s`."""
    found = re.fullmatch(r"(\d+)s", text)
    assert found, text
    return int(found[1])


def run(*command: str | Path, cwd: Path = Path("/"), **environment: str) -> str:
    """Returns the output of a program, which must succeed."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | environment
    done = subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

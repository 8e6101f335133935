"""The client is complete by itself: it imports its own package, and httpx and pydantic, which it declares."""

import ast
import runpy
import sys
import tomllib
from pathlib import Path

import pytest

from tests import ROOT

CLIENT = ROOT / "clients" / "python"
SOURCES = sorted((CLIENT / "undersign").glob("*.py"))


def imported(path: Path) -> set[str]:
    """Returns the top-level names of all imports in a file, without the standard library."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names = plain | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_it_imports_what_it_declares(path: Path) -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {line.partition(">")[0] for line in project["dependencies"]}

    assert declared == {"httpx", "pydantic"}
    assert imported(path) <= {"undersign", *declared}


def test_its_models_are_those_of_the_service() -> None:
    written = runpy.run_path(str(CLIENT / "write_models.py"))["models_file"]()

    assert (CLIENT / "undersign" / "models.py").read_text("utf-8") == written, "run `make models`"

"""Import contracts, sizes of files and functions, and names that two places share."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from activities.interface import SESSIONS_QUEUE
from cli.dev import command
from domain.shared import error_redaction
from tests import ROOT
from tests.conftest import FIXTURES, FOLDERS

PACKAGES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["packages"]
CLIENT = ROOT / "clients" / "python"
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 60
FOLDER_LISTS = ("LEFT", "PLAIN")
"""Folders that `make test` and `make integration` do not collect."""

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def sources() -> Iterator[Path]:
    yield ROOT / "worker.py"
    for package in PACKAGES:
        folder = CLIENT if package == "undersign" else ROOT
        yield from sorted((folder / package).rglob("*.py"))


def test_the_import_contracts_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES or "migrations" in path.parts or "`make models` writes" in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "migrations" not in path.parts:
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MOST_LINES_OF_A_FUNCTION, f"{node.name} has {length} lines"


def test_the_command_line_waits_for_the_workers_of_the_queue_that_they_serve() -> None:
    assert command._SESSIONS_QUEUE == SESSIONS_QUEUE


def test_every_package_is_in_each_list_of_packages() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}

    assert set(PACKAGES) == {*folders, "undersign"}
    assert set(tools["importlinter"]["root_packages"]) == folders
    assert {*folders, "undersign", "worker"} == error_redaction.OURS


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [record.name[:4] for record in (ROOT / "docs/decisions").glob("*.md")]
    assert sorted(set(numbers)) == sorted(numbers)


def test_make_bench_runs_every_bench() -> None:
    [together] = re.findall(r"^bench: ([^#]*)", MAKEFILE, re.MULTILINE)

    assert set(together.split()) == set(re.findall(r"^(bench-[a-z]+):", MAKEFILE, re.MULTILINE))


def test_each_folder_is_collected_by_a_make_target_that_has_what_it_needs() -> None:
    left, plain = (re.findall(rf"^{name}_FOLDERS := (.*)", MAKEFILE, re.MULTILINE)[0].split() for name in FOLDER_LISTS)
    text = "".join(path.read_text("utf-8") for name in plain for path in (ROOT / "tests" / name).rglob("*.py"))

    assert {f"tests/{name}/" for name in left} <= FOLDERS.keys()
    assert set(re.findall(r"mark\.([a-z_]+)", text)) <= {"parametrize", "temporal", "usefixtures"}
    assert re.findall(rf"[(,]\s*(?:{'|'.join(FIXTURES)})[:,)]", text) == []

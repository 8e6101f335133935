"""Import contracts, sizes of files and functions, and names that two places share."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

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


def lengths(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yields the name, the lines and the allowed lines of a file and of each of its functions."""
    name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    if "`make models` writes" not in text:
        yield name, len(text.splitlines()), MOST_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name} {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1, MOST_LINES_OF_A_FUNCTION


def test_files_and_functions_stay_small() -> None:
    files = [path for path in sources() if "migrations" not in path.parts]
    assert [found for path in files for found in lengths(path) if found[1] > found[2]] == []


def test_no_test_patches_by_a_dotted_path() -> None:
    """A path in a string is not found when its module moves."""
    patches = re.compile(r'\b(setattr|patch)\(\s*"')
    tests = [path for path in (ROOT / "tests").rglob("*.py") if patches.search(path.read_text("utf-8"))]
    assert tests == []


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

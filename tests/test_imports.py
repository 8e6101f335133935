"""Every module can be imported; on the oldest packages (`make oldest`) this finds a lower bound that is too low."""

import tomllib
from importlib import import_module

import pytest

from tests import ROOT

PACKAGES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["packages"]


def modules() -> list[str]:
    roots = {package: ROOT / "clients/python" if package == "undersign" else ROOT for package in PACKAGES}
    files = [file.relative_to(root) for package, root in roots.items() for file in (root / package).rglob("*.py")]
    names = {".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files}
    return sorted(name for name in names if ".migrations." not in f"{name}.")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_can_be_imported(package: str) -> None:
    found = [name for name in modules() if name.partition(".")[0] == package]

    assert found
    for name in found:
        import_module(name)

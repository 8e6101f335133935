"""What `pip install` makes of the wheel alone: no lock, no clone of the project, no package of the tests."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.deploy.conftest import pip
from tests.deploy.files import run
from tests.end_to_end.installation import Installation

pytestmark = [pytest.mark.packaging, pytest.mark.installation]
UNWANTED = {"numpy", "onnxruntime", "pymupdf-layout", "pymupdf4llm"}
"""PyMuPDF 2 brings them, for models that Undersign does not use."""


class Installed(Installation):
    """The service out of the wheel."""

    def environment(self) -> dict[str, str]:
        return {name: value for name, value in super().environment().items() if name != "PYTHONPATH"}


@pytest.fixture
def service(installed: Path, tmp_path: Path) -> Iterator[Installed]:
    service = Installed(tmp_path / "data")
    service.command = (str(installed / "undersign"),)
    service.start()
    yield service
    ended = service.stop()

    assert ended == 0, service.output


def test_it_is_complete_and_brings_nothing_that_is_not_used(installed: Path) -> None:
    run(*pip(installed), "check")
    listed = run(*pip(installed), "list", "--format", "json")
    packages = {package["name"].lower() for package in json.loads(listed)}

    assert "undersign" in packages
    assert packages & UNWANTED == set()


def test_it_runs_and_signs_a_first_document(service: Installed, tmp_path: Path) -> None:
    ready = httpx.get(f"{service.dev_info.api_url}/readyz", timeout=60)
    done = service.run("demo", "--output", str(tmp_path / "signed"))

    assert ready.status_code == 200, ready.text
    assert done.returncode == 0, done.stderr
    assert {path.suffix for path in (tmp_path / "signed").iterdir()} == {".pdf"}


@pytest.mark.parametrize("module", ["api.__main__", "worker", "cli.main", "cli.demo.command"])
def test_everything_that_runs_is_found_in_what_was_installed(installed: Path, tmp_path: Path, module: str) -> None:
    """From any folder, and loading all that is read beside the code."""
    program = (
        f"import {module}, sys, pathlib, application.mails.render_mail, web.html_response, web.assets;"
        "from domain.shared.error_redaction import OURS;"
        "ours = {name.partition('.')[0] for name in sys.modules} & OURS;"
        "print(*sorted({str(pathlib.Path(sys.modules[name].__file__).resolve()) for name in ours}), sep='\\n')"
    )

    places = run(installed / "python", "-I", "-c", program, cwd=tmp_path).splitlines()

    assert places
    assert all(Path(place).is_relative_to(installed.parent) for place in places), places


def test_the_command_line_works_from_any_folder(installed: Path, tmp_path: Path) -> None:
    assert "migrate" in run(installed / "undersign", "--help", cwd=tmp_path)

"""A first document is signed by what was installed, with no clone of the project anywhere near."""

from pathlib import Path

import pytest

from tests.end_to_end.installation import Installation

pytestmark = [pytest.mark.packaging, pytest.mark.installation, pytest.mark.xdist_group("packaging")]


class Installed(Installation):
    """The service out of the wheel."""

    def environment(self) -> dict[str, str]:
        return {name: value for name, value in super().environment().items() if name != "PYTHONPATH"}


def test_a_first_document_is_signed(installed: Path, tmp_path: Path) -> None:
    service = Installed(tmp_path / "data")
    service.command = (str(installed / "undersign"),)
    try:
        service.start()
        done = service.run("demo", "--output", str(tmp_path / "signed"))
    finally:
        ended = service.stop()

    assert done.returncode == 0, done.stderr
    assert {path.suffix for path in (tmp_path / "signed").iterdir()} == {".pdf"}
    assert ended == 0, service.output

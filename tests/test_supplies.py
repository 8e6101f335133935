"""What the service is made with: advisories that stop a check, and licences that go with ours."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import ROOT


def program(name: str) -> ModuleType:
    """Returns one of the programs in `requirements/`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "requirements" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


audit, licences = program("audit"), program("licences")

KNOWN = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["1.3"]}


def auditor(tmp_path: Path, words: str) -> list[str]:
    """Returns a program that answers with `words`, whatever it is asked."""
    script = tmp_path / "auditor.py"
    script.write_text(f"print({words!r})", encoding="utf-8")
    return [sys.executable, str(script)]


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(packages)})


def test_a_known_advisory_stops_the_check_and_says_what_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = report({"name": "ninja", "version": "1.2", "vulns": [KNOWN]}, {"name": "a", "version": "1", "vulns": []})

    assert audit.main(auditor(tmp_path, words)) == 1
    assert "ninja 1.2: PYSEC-2026-1 CVE-2026-1. It is fixed in 1.3: make lock." in capsys.readouterr().out


def test_without_advisories_the_check_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = report({"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found"})

    assert audit.main(auditor(tmp_path, words)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Advisories: none for 1 packages.",
        "Advisories: nothing is known of 1 packages.",
    ]


@pytest.mark.parametrize("words", ["", "no network", report({"name": "a", "skip_reason": "not found"})])
def test_where_nobody_can_be_asked_a_line_says_so_and_the_check_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert audit.main(auditor(tmp_path, words)) == 0
    assert capsys.readouterr().out.splitlines() == [audit.NOT_AUDITED]


def test_without_the_program_a_line_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main([str(tmp_path / "none")]) == 0
    assert capsys.readouterr().out.splitlines() == [audit.NOT_AUDITED]


def test_an_advisory_that_was_accepted_stops_nothing() -> None:
    accepted = audit.accepted("# reasons\nCVE-2026-1  # we do not parse such files\n")

    assert list(audit.advisories([{"name": "ninja", "version": "1.2", "vulns": [KNOWN]}], accepted)) == []


def test_what_an_operator_installs_and_what_the_image_holds_are_asked_about(tmp_path: Path) -> None:
    result = tmp_path / "asked"
    script = tmp_path / "auditor.py"
    script.write_text(f"import pathlib, sys; pathlib.Path({str(result)!r}).write_text(' '.join(sys.argv))", "utf-8")

    audit.main([sys.executable, str(script)])

    assert {Path(word).name for word in result.read_text("utf-8").split() if word.endswith(".lock")} == {
        "run.lock",
        "image.lock",
    }


def test_the_licences_of_what_optional_parts_need_themselves_are_among_them() -> None:
    assert {"grpcio", "opentelemetry-proto", "redis", "python-pkcs11"} <= set(dict(licences.licences()))


def test_every_licence_goes_with_ours_and_is_listed() -> None:
    """`make licences` writes the list anew."""
    found = dict(licences.licences())

    assert [name for name, licence in found.items() if not licences.is_compatible(licence)] == []
    assert len(found) > 80
    written = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert written == licences.OPENING + "".join(f"| {name} | {licence} |\n" for name, licence in found.items())


@pytest.mark.parametrize("licence", ["Proprietary", "unknown", "SSPL-1.0", "Commercial", "CC-BY-NC-4.0"])
def test_what_does_not_go_with_ours_is_found(licence: str) -> None:
    assert not licences.is_compatible(licence)

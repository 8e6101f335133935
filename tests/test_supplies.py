"""Packages of the service: advisories that fail the check, and licences that are compatible with ours."""

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
CLEAN, UNKNOWN = {"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found"}


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(packages)})


@pytest.mark.parametrize(
    ("output", "code", "lines"),
    [
        (
            report({"name": "ninja", "version": "1.2", "vulns": [KNOWN]}, CLEAN),
            1,
            ["ninja 1.2: PYSEC-2026-1 CVE-2026-1. It is fixed in 1.3: make lock."],
        ),
        (
            report(CLEAN, UNKNOWN),
            0,
            ["Advisories: none for 1 packages.", "Advisories: nothing is known of 1 packages."],
        ),
        ("", 0, [audit.NOT_AUDITED]),
        ("no network", 0, [audit.NOT_AUDITED]),
        (report(UNKNOWN), 0, [audit.NOT_AUDITED]),
        (None, 0, [audit.NOT_AUDITED]),
    ],
    ids=["an advisory", "none", "no output", "no JSON", "nothing audited", "no program"],
)
def test_an_advisory_fails_the_check_and_a_missing_audit_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], output: str | None, code: int, lines: list[str]
) -> None:
    script = tmp_path / "auditor.py"
    script.write_text(f"print({output!r})", encoding="utf-8")
    auditor = [str(tmp_path / "none")] if output is None else [sys.executable, str(script)]

    assert audit.main(auditor) == code
    assert capsys.readouterr().out.splitlines() == lines


def test_an_accepted_advisory_is_left_out() -> None:
    accepted = audit.accepted("# reasons\nCVE-2026-1  # we do not parse such files\n")

    assert list(audit.advisories([{"name": "ninja", "version": "1.2", "vulns": [KNOWN]}], accepted)) == []


def test_the_locks_of_operators_and_of_the_image_are_audited(tmp_path: Path) -> None:
    result = tmp_path / "arguments"
    script = tmp_path / "auditor.py"
    script.write_text(f"import pathlib, sys; pathlib.Path({str(result)!r}).write_text(' '.join(sys.argv))", "utf-8")

    audit.main([sys.executable, str(script)])

    assert {Path(word).name for word in result.read_text("utf-8").split() if word.endswith(".lock")} == {
        "run.lock",
        "image.lock",
    }


def test_licences_of_what_extras_depend_on_are_listed() -> None:
    assert {"grpcio", "opentelemetry-proto", "redis", "python-pkcs11"} <= set(dict(licences.licences()))


def test_every_licence_is_compatible_and_listed() -> None:
    """`make licences` writes the list."""
    found = dict(licences.licences())

    assert [name for name, licence in found.items() if not licences.is_compatible(licence)] == []
    assert len(found) > 80
    written = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert written == licences.OPENING + "".join(f"| {name} | {licence} |\n" for name, licence in found.items())


@pytest.mark.parametrize("licence", ["Proprietary", "unknown", "SSPL-1.0", "Commercial", "CC-BY-NC-4.0"])
def test_an_incompatible_licence_is_found(licence: str) -> None:
    assert not licences.is_compatible(licence)

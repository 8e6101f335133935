"""Packages of the service: advisories that fail the check, and licences that are compatible with ours."""

import importlib.util
import json
import socket
import sys
from collections.abc import Callable
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


@pytest.fixture
def connected_auditor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], list[str]]:
    """Makes a program that prints what it is given, on a machine with a network; for None, one that is missing."""
    monkeypatch.setattr(audit, "has_network", lambda: True)

    def make(output: str | None) -> list[str]:
        script = tmp_path / "auditor.py"
        script.write_text(f"print({output!r})", encoding="utf-8")
        return [str(tmp_path / "none")] if output is None else [sys.executable, str(script)]

    return make


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
        *((output, 1, [audit.NOT_AUDITED]) for output in ("", "no JSON", "[]", "{}", report(UNKNOWN), report(), None)),
    ],
)
def test_an_advisory_fails_the_check_and_so_does_a_missing_audit(
    capsys: pytest.CaptureFixture[str],
    connected_auditor: Callable[[str | None], list[str]],
    output: str | None,
    code: int,
    lines: list[str],
) -> None:
    auditor = connected_auditor(output)
    assert audit.main(auditor) == code
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize(
    ("proxies", "addresses", "expected"),
    [
        ({}, [], False),
        ({}, ["192.0.2.7", "10.1.2.3", "::1"], False),
        ({}, ["10.1.2.3", "2606:4700::1"], True),
        ({"https": "http://proxy:3128"}, [], True),
    ],
)
def test_only_a_machine_without_a_network_passes_without_an_audit(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    proxies: dict[str, str],
    addresses: list[str],
    expected: bool,
) -> None:
    def find(*_: object, **__: object) -> list[tuple[object, ...]]:
        if not addresses:
            raise socket.gaierror
        return [(0, 0, 0, "", (address, 443)) for address in addresses]

    monkeypatch.setattr(audit, "getproxies", lambda: proxies)
    monkeypatch.setattr(audit.socket, "getaddrinfo", find)
    monkeypatch.setattr(audit, "index_host", lambda: "index.example")

    assert audit.main(["/none"]) == int(expected)
    assert capsys.readouterr().out.splitlines() == [audit.NOT_AUDITED if expected else audit.NO_NETWORK]


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

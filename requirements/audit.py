"""`make audit`: checks the packages of `run.lock` and `image.lock` for known advisories.

An advisory fails the check. If the package index cannot be reached, the check prints a line and passes. An advisory
that does not affect the service goes into `accepted-advisories.txt`, with the reason after a `#`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LOCKS = ("run", "image")
SECONDS = 180
NOT_AUDITED = "Advisories: nothing was audited, as the package index did not answer. Check the network."


def main(arguments: Sequence[str]) -> int:
    """Audits the locks; the only argument is the program to run instead of pip-audit."""
    report = run_audit(arguments or (str(Path(sys.executable).with_name("pip-audit")),))
    if report is None:
        print(NOT_AUDITED)
        return 0
    packages = report["dependencies"]
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        print(NOT_AUDITED)
        return 0
    found = list(advisories(audited, accepted((HERE / "accepted-advisories.txt").read_text(encoding="utf-8"))))
    print("\n".join(found) or f"Advisories: none for {len(audited)} packages.")
    if len(audited) < len(packages):
        print(f"Advisories: nothing is known of {len(packages) - len(audited)} packages.")
    return 1 if found else 0


def run_audit(program: Sequence[str]) -> dict[str, Any] | None:
    """Returns the report of pip-audit; None if it fails."""
    locks = [part for name in LOCKS for part in ("-r", str(HERE / f"{name}.lock"))]
    options = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json", *locks)
    try:
        done = subprocess.run([*program, *options], capture_output=True, text=True, timeout=SECONDS, check=False)
        report: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return report


def accepted(text: str) -> frozenset[str]:
    """Returns the advisory identifiers in the text of `accepted-advisories.txt`."""
    return frozenset(name for line in text.splitlines() if (name := line.partition("#")[0].strip()))


def advisories(packages: Sequence[dict[str, Any]], accepted: frozenset[str]) -> Iterator[str]:
    """Yields a line for each advisory that is not accepted: package, identifiers, and fixed versions."""
    for package in packages:
        for advisory in package["vulns"]:
            names = [advisory["id"], *advisory.get("aliases", ())]
            if not accepted.intersection(names):
                fixed = ", ".join(advisory.get("fix_versions", ())) or "no version yet"
                yield f"{package['name']} {package['version']}: {' '.join(names)}. It is fixed in {fixed}: make lock."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`make audit`: whether advisories are known for what the service runs on, as `run.lock` and `image.lock` pin it.

An advisory fails it. That nobody can be asked does not, because it says nothing about the code; one line tells of it.
An advisory that does not concern the service goes into `accepted-advisories.txt`, with the reason after a `#`.
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
UNASKED = "Advisories: nobody could be asked, so nothing was audited. See that this machine reaches the package index."


def main(arguments: Sequence[str]) -> int:
    """Audits the locks; the one argument is the program that knows of advisories."""
    report = ask(arguments or (str(Path(sys.executable).with_name("pip-audit")),))
    if report is None:
        print(UNASKED)
        return 0
    packages = report["dependencies"]
    asked = [package for package in packages if "vulns" in package]
    if not asked:
        print(UNASKED)
        return 0
    found = list(advisories(asked, accepted((HERE / "accepted-advisories.txt").read_text(encoding="utf-8"))))
    print("\n".join(found) or f"Advisories: none for {len(asked)} packages.")
    if len(asked) < len(packages):
        print(f"Advisories: nothing is known of {len(packages) - len(asked)} packages.")
    return 1 if found else 0


def ask(program: Sequence[str]) -> dict[str, Any] | None:
    """What pip-audit answers; None when it cannot."""
    locks = [part for name in LOCKS for part in ("-r", str(HERE / f"{name}.lock"))]
    options = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json", *locks)
    try:
        done = subprocess.run([*program, *options], capture_output=True, text=True, timeout=SECONDS, check=False)
        report: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return report


def accepted(text: str) -> frozenset[str]:
    """The identifiers in such a file."""
    return frozenset(name for line in text.splitlines() if (name := line.partition("#")[0].strip()))


def advisories(packages: Sequence[dict[str, Any]], accepted: frozenset[str]) -> Iterator[str]:
    """A line for each advisory that was not accepted: what it is of, its names, and what helps."""
    for package in packages:
        for advisory in package["vulns"]:
            names = [advisory["id"], *advisory.get("aliases", ())]
            if not accepted.intersection(names):
                fixed = ", ".join(advisory.get("fix_versions", ())) or "no version yet"
                yield f"{package['name']} {package['version']}: {' '.join(names)}. It is fixed in {fixed}: make lock."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

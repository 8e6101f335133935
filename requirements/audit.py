"""`make audit`: checks the packages of `run.lock` and `image.lock` for known advisories.

An advisory fails the check, and so does an audit that audits nothing. Only a machine without the public network passes
without one, with a line that says so: it has no proxy, and the name of the package index leads to no public address. An
advisory that does not affect the service goes into `accepted-advisories.txt`, with the reason after a `#`.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

HERE = Path(__file__).parent
LOCKS = ("run", "image")
SECONDS = 180
NO_NETWORK = "Advisories: nothing was audited, as this machine has no public network. Audit on one that has."
NOT_AUDITED = (
    "Advisories: nothing was audited, although there is a network. Check the proxy, and the package index behind it, "
    "which must list the advisories of each package."
)


def main(arguments: Sequence[str]) -> int:
    """Audits the locks; the only argument is the program to run instead of pip-audit."""
    packages = run_audit(arguments or (str(Path(sys.executable).with_name("pip-audit")),))
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        is_connected = has_network()
        print(NOT_AUDITED if is_connected else NO_NETWORK)
        return int(is_connected)
    found = list(advisories(audited, accepted((HERE / "accepted-advisories.txt").read_text(encoding="utf-8"))))
    print("\n".join(found) or f"Advisories: none for {len(audited)} packages.")
    if len(audited) < len(packages):
        print(f"Advisories: nothing is known of {len(packages) - len(audited)} packages.")
    return 1 if found else 0


def run_audit(program: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the packages in the report of pip-audit; none if it fails."""
    locks = [part for name in LOCKS for part in ("-r", str(HERE / f"{name}.lock"))]
    options = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json", *locks)
    try:
        done = subprocess.run([*program, *options], capture_output=True, text=True, timeout=SECONDS, check=False)
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired):
        return []
    return packages


def has_network() -> bool:
    """Returns whether this machine uses a proxy, or finds the package index at a public address."""
    if getproxies():
        return True
    try:
        found = socket.getaddrinfo(index_host(), 443, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return any(ip_address(str(address[0])).is_global for *_, address in found)


def index_host() -> str:
    """Returns the name of the host that pip-audit asks."""
    from pip_audit._dependency_source import PYPI_URL  # type: ignore[import-untyped]  # noqa: PLC0415  # for this

    return urlsplit(PYPI_URL).hostname or ""


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

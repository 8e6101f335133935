"""`make licences`: the licences of what the service runs on, as `docs/licences.md`; all must go with AGPL-3.0-or-later.

Read from what the packages of `run.lock` and `image.lock`, which has the optional parts, say of themselves where they
are installed; those for other systems are not.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

HERE = Path(__file__).parent
LOCKS = ("run", "image")

COMPATIBLE = (
    *("0BSD", "AGPL-3", "AFFERO GPL 3", "Apache-2", "Apache License 2", "Apache Software License", "BSD", "BlueOak"),
    *("CC0", "GPL-3", "GPLv3", "HPND", "ISC", "LGPL", "MIT", "MPL-2", "MPL 2", "OFL", "PSF", "Python Software"),
    *("Unlicense", "Unicode", "Zlib"),
)
"""Beginnings and parts of names of licences under which something may be combined with ours."""

OPENING = """# Licences

The packages that the service runs on, optional ones included, with the licence of each. All of them may be combined
with AGPL-3.0-or-later, the licence of Undersign. `make licences` generates this page. The fonts in the documents are
FiraGO and Noto, under the SIL Open Font License.

| Package | Licence |
|---|---|
"""


def main() -> int:
    """Prints the page; names what does not go with our licence on standard error, and fails then."""
    found = dict(licences())
    print(OPENING + "".join(f"| {name} | {licence} |\n" for name, licence in found.items()), end="")
    wrong = [f"{name}: {licence}" for name, licence in found.items() if not is_compatible(licence)]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


def licences() -> Iterator[tuple[str, str]]:
    """Each package that is installed, by name."""
    text = "".join((HERE / f"{name}.lock").read_text(encoding="utf-8") for name in LOCKS)
    for name in sorted(set(re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE))):
        try:
            yield name, licence_of(distribution(name))
        except PackageNotFoundError:
            continue


def licence_of(package: Distribution) -> str:
    """In one line, as the package says it."""
    told = package.metadata
    expression = told.get("License-Expression")
    if expression:
        return str(expression)
    classified = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if "License ::" in line]
    if classified:
        return ", ".join(classified)
    first = (told.get("License") or "not told").strip().splitlines()[0]
    return str(first)[:80]


def is_compatible(licence: str) -> bool:
    """Whether one of the licences that are offered goes with ours."""
    return any(name in licence for name in COMPATIBLE)


if __name__ == "__main__":
    sys.exit(main())

"""The table of the security standard is complete, and names only files that exist."""

import re
from collections import Counter

from tests import ROOT

TEXT = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in TEXT.replace("|  |", "| - |").splitlines()
    if re.match(r"\| \d", line)
]

REQUIREMENTS = {1: 70, 2: 183}
"""The numbers of requirements of the first two levels."""


def test_every_requirement_of_the_first_two_levels_has_one_row_in_order() -> None:
    numbers = [tuple(map(int, row[0].split(" ")[0].split("."))) for row in ROWS]
    assert numbers == sorted(set(numbers))
    assert {number for number, *_ in numbers} == set(range(1, 18))
    assert Counter(int(row[1]) for row in ROWS) == REQUIREMENTS


def test_the_sums_are_those_of_the_rows() -> None:
    sums = Counter(row[2] for row in ROWS)
    assert sums.keys() == {"holds", "partly", "no", "n/a"}
    (said,) = re.findall(r"(\d+) hold, (\d+) hold partly, (\d+) do not, and (\d+) do not apply", TEXT)
    assert tuple(map(int, said)) == (sums["holds"], sums["partly"], sums["no"], sums["n/a"])


def test_what_holds_is_shown_by_a_file_that_exists() -> None:
    shown = {row[0]: re.findall(r"`([\w./-]+\.(?:py|md))`", row[4]) for row in ROWS if row[2] == "holds"}
    missing = {row: files for row, files in shown.items() if not all((ROOT / file).is_file() for file in files)}
    assert missing == {}
    unshown = {row.split(" ")[0] for row, files in shown.items() if not files}
    assert unshown == {"6.4.2", "7.1.3"}, "there is nothing to test: secret questions, and a sentence of the documents"


def test_what_does_not_hold_says_why() -> None:
    assert [row[0] for row in ROWS if row[2] != "holds" and len(row[3]) < 5] == []

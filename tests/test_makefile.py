"""What the Makefile promises in its help."""

import re

from tests import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_everything_that_is_measured_by_itself_is_measured_by_make_bench() -> None:
    [together] = re.findall(r"^bench: ([^#]*)", MAKEFILE, re.MULTILINE)

    assert set(together.split()) == set(re.findall(r"^(bench-[a-z]+):", MAKEFILE, re.MULTILINE))

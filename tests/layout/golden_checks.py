"""Holding what comes out against a golden that somebody has looked at.

On failure `build/layout-goldens` holds what was expected, what came out, and what differs. If the new look is right,
`python -m tests.layout.record_goldens` records it.
"""

from pathlib import Path

from PIL import Image

from tests import ROOT
from tests.layout.pictures import difference

BUILD = ROOT / "build" / "layout-goldens"


def check_boxes(golden: Path, actual: str) -> None:
    """The boxes are those that the text file `golden` has."""
    expected = golden.read_text("utf-8")
    if actual != expected:
        BUILD.mkdir(parents=True, exist_ok=True)
        for part, boxes in (("expected", expected), ("actual", actual)):
            (BUILD / f"{golden.stem}-{part}.txt").write_text(boxes, "utf-8")
    assert actual == expected


def check_picture(golden: Path, actual: Image.Image) -> None:
    """The page looks as the picture `golden` does."""
    expected = Image.open(golden).convert("RGB")
    differing = difference(expected, actual)
    if differing is not None:
        BUILD.mkdir(parents=True, exist_ok=True)
        for part, picture in (("expected", expected), ("actual", actual), ("diff", differing)):
            picture.save(BUILD / f"{golden.stem}-{part}.png")
    assert differing is None, f"{golden.name}: see {BUILD}"

"""The golden agreement lies on its pages and looks as it did when somebody looked at it.

On failure `build/layout-goldens` holds what was expected, what came out, and what differs. If the new look is right,
`python -m tests.layout.record_goldens` records it.
"""

from pathlib import Path

import pytest
from PIL import Image

from tests.layout.goldens import BOXES, GOLDENS, agreement, boxes, golden_pictures
from tests.layout.pictures import difference

BUILD = Path(__file__).parent.parent.parent / "build" / "layout-goldens"
KEPT = ("agreement-1.png", "agreement-2.png", "agreement-3.png", "signed-2.png", "signed-3.png")


@pytest.fixture(scope="module")
def drawn() -> dict[str, Image.Image]:
    return golden_pictures()


def test_the_boxes_are_where_they_were() -> None:
    actual = boxes(agreement())
    expected = BOXES.read_text("utf-8")
    if actual != expected:
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / "actual.txt").write_text(actual, "utf-8")
        (BUILD / "expected.txt").write_text(expected, "utf-8")
    assert actual == expected


def test_every_page_has_its_golden(drawn: dict[str, Image.Image]) -> None:
    assert sorted(drawn) == sorted(KEPT) == sorted(path.name for path in GOLDENS.glob("*.png"))


@pytest.mark.parametrize("name", KEPT)
def test_the_page_looks_as_it_did(name: str, drawn: dict[str, Image.Image]) -> None:
    expected = Image.open(GOLDENS / name).convert("RGB")
    differing = difference(expected, drawn[name])
    if differing is not None:
        BUILD.mkdir(parents=True, exist_ok=True)
        for part, picture in (("expected", expected), ("actual", drawn[name]), ("diff", differing)):
            picture.save(BUILD / f"{Path(name).stem}-{part}.png")
    assert differing is None, f"see {BUILD}"

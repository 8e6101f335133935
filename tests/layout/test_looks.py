"""Every look lies on its pages and looks as it did when somebody looked at it. Spec: 2.5, 2.6, 2.7 (image).

On failure `build/layout-goldens` holds what was expected, what came out, and what differs. If the new look is right,
`python -m tests.layout.record_goldens` records it.
"""

from pathlib import Path

import pytest
from PIL import Image

from tests.layout.goldens import GOLDENS, boxes, pictures
from tests.layout.looks import LOOKS, images, look, pdf_of
from tests.layout.pictures import difference
from tests.layout.reading import text_of

BUILD = Path(__file__).parent.parent.parent / "build" / "layout-goldens"
FOLDER = GOLDENS / "looks"


@pytest.mark.parametrize("name", LOOKS)
def test_the_boxes_are_where_they_were(name: str) -> None:
    actual = boxes(look(name), images())
    expected = (FOLDER / f"{name}.txt").read_text("utf-8")
    if actual != expected:
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / f"{name}-actual.txt").write_text(actual, "utf-8")
    assert actual == expected


@pytest.mark.parametrize("name", LOOKS)
def test_the_pages_look_as_they_did(name: str) -> None:
    drawn = pictures(pdf_of(name))
    kept = sorted(FOLDER.glob(f"{name}-[0-9].png"))
    assert len(drawn) == len(kept)
    for path, page in zip(kept, drawn, strict=True):
        expected = Image.open(path).convert("RGB")
        differing = difference(expected, page)
        if differing is not None:
            BUILD.mkdir(parents=True, exist_ok=True)
            for part, picture in (("expected", expected), ("actual", page), ("diff", differing)):
                picture.save(BUILD / f"{path.stem}-{part}.png")
        assert differing is None, f"{path.name}: see {BUILD}"


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LOOKS)


@pytest.mark.parametrize("name", LOOKS)
def test_each_page_says_which_of_how_many_it_is(name: str) -> None:
    pages = text_of(pdf_of(name)).split("\f")[:-1]
    ends = [page.rstrip().rpartition("page ")[2] for page in pages]
    assert ends == [f"{number} of {len(pages)}" for number in range(1, len(pages) + 1)]

"""Every look lies on its pages and looks as it did when somebody looked at it. Specification 2.5, 2.6, 2.7 (image)."""

import pytest

from tests.layout.goldens import GOLDENS, boxes, check_boxes, check_picture, pictures
from tests.layout.looks import LOOKS, images, look, pdf_of
from tests.layout.reading import text_of

FOLDER = GOLDENS / "looks"


@pytest.mark.parametrize("name", LOOKS)
def test_the_boxes_are_where_they_were(name: str) -> None:
    check_boxes(FOLDER / f"{name}.txt", boxes(look(name), images()))


@pytest.mark.parametrize("name", LOOKS)
def test_the_pages_look_as_they_did(name: str) -> None:
    drawn = pictures(pdf_of(name))
    kept = sorted(FOLDER.glob(f"{name}-[0-9].png"))
    assert len(drawn) == len(kept)
    for path, page in zip(kept, drawn, strict=True):
        check_picture(path, page)


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LOOKS)


@pytest.mark.poppler
@pytest.mark.parametrize("name", LOOKS)
def test_each_page_says_which_of_how_many_it_is(name: str) -> None:
    pages = text_of(pdf_of(name)).split("\f")[:-1]
    ends = [page.rstrip().rpartition("page ")[2] for page in pages]
    assert ends == [f"{number} of {len(pages)}" for number in range(1, len(pages) + 1)]

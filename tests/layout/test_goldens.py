"""The golden agreement lies on its pages and looks as it did when somebody looked at it."""

import pytest
from PIL import Image

from tests.layout.goldens import BOXES, GOLDENS, agreement, boxes, check_boxes, check_picture, golden_pictures

KEPT = ("agreement-1.png", "agreement-2.png", "agreement-3.png", "signed-2.png", "signed-3.png")


@pytest.fixture(scope="module")
def drawn() -> dict[str, Image.Image]:
    return golden_pictures()


def test_the_boxes_are_where_they_were() -> None:
    check_boxes(BOXES, boxes(agreement()))


def test_every_page_has_its_golden(drawn: dict[str, Image.Image]) -> None:
    assert sorted(drawn) == sorted(KEPT) == sorted(path.name for path in GOLDENS.glob("*.png"))


@pytest.mark.parametrize("name", KEPT)
def test_the_page_looks_as_it_did(name: str, drawn: dict[str, Image.Image]) -> None:
    check_picture(GOLDENS / name, drawn[name])

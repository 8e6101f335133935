"""Every kind of block and of input lies on its page and looks as it did at its review. Specification 2.7, 2.8."""

from typing import get_args

import pytest

from layout.schema.block_document import Block, FieldType
from tests.layout.golden_checks import check_boxes, check_picture
from tests.layout.goldens import GOLDENS, boxes
from tests.layout.image_files import PICTURES
from tests.layout.kinds import KINDS, kind, pictures_of

FOLDER = GOLDENS / "kinds"


@pytest.mark.parametrize("name", KINDS)
def test_the_boxes_are_where_they_were(name: str) -> None:
    check_boxes(FOLDER / f"{name}.txt", boxes(kind(name), PICTURES))


@pytest.mark.parametrize("name", KINDS)
def test_the_pages_look_as_they_did(name: str) -> None:
    drawn = pictures_of(name)
    kept = sorted(FOLDER.glob(f"{name}-[0-9].png"))
    assert len(drawn) == len(kept)
    for path, page in zip(kept, drawn, strict=True):
        check_picture(path, page)


def test_every_type_of_block_and_input_has_its_golden() -> None:
    blocks = {one.model_fields["type"].annotation.__args__[0] for one in get_args(get_args(Block)[0])}
    assert {*blocks, *get_args(FieldType)} - {"field"} == set(KINDS) - {"checkbox-group", "right-to-left"}
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(KINDS)

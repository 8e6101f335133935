"""The golden documents lie on their pages and look as they did at their review. Specification 2.5, 2.6, 2.7, 2.8."""

from typing import get_args

import pytest

from layout.schema.block_document import Block
from layout.schema.input import FieldType
from tests.layout.goldens import ALL, check_boxes, check_pictures, recorded
from tests.layout.kinds import KINDS


@pytest.mark.parametrize("name", ALL)
def test_the_boxes_are_where_they_were(name: str) -> None:
    check_boxes(name)


@pytest.mark.parametrize("name", ALL)
def test_the_pages_look_as_they_did(name: str) -> None:
    check_pictures(name)


def test_every_type_of_block_and_input_has_its_golden_and_none_is_left_over() -> None:
    blocks = {one.model_fields["type"].annotation.__args__[0] for one in get_args(get_args(Block)[0])}
    assert {*blocks, *get_args(FieldType)} - {"field"} == set(KINDS) - {
        "checkbox-group",
        "right-to-left",
        "runs",
        "clauses",
    }
    assert recorded(".txt") == {f"{name}.txt" for name in ALL}

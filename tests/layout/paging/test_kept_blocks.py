"""Blocks that are kept on one page, or on the page of the next block. Specification 2.7."""

import pytest

from layout.engine import render
from layout.schema.issues import WarningKind
from tests.layout.documents import Written, document, heading, laid_out, paragraph, text_field

LINES = "\n".join(["A line."] * 12)
FULL = paragraph("\n".join(["A line."] * 40))
"""Most of a page: some ten lines are left."""

TOO_TALL = paragraph("\n".join(["A line."] * 60))


def pages(*blocks: Written) -> list[tuple[int, int]]:
    """The pages on which each block begins and ends."""
    result = laid_out(document(*blocks))
    paths = [f"/blocks/{at}" for at in range(len(blocks))]
    return [(result.start_pages[path], result.end_pages.get(path, result.start_pages[path])) for path in paths]


def warnings(*blocks: Written) -> list[str]:
    found = render(document(*blocks), ()).warnings
    return [warning.path for warning in found if warning.kind is WarningKind.NOT_TOGETHER]


def test_a_block_that_is_kept_together_begins_a_page_if_it_must() -> None:
    assert pages(FULL, paragraph(LINES)) == [(1, 1), (1, 2)]
    assert pages(FULL, paragraph(LINES, keepTogether=True)) == [(1, 1), (2, 2)]
    items: Written = {"type": "bulletList", "items": ["An item."] * 12}
    assert pages(FULL, items) == [(1, 1), (1, 2)]
    assert pages(FULL, items | {"keepTogether": True}) == [(1, 1), (2, 2)]


def test_a_block_taller_than_a_page_is_split_where_it_stands_with_a_warning() -> None:
    blocks = (paragraph("x"), TOO_TALL | {"keepTogether": True})
    assert pages(*blocks) == [(1, 1), (1, 2)]
    assert warnings(*blocks) == ["/blocks/1/keepTogether"]
    assert warnings(FULL, paragraph(LINES, keepTogether=True)) == []


def test_a_heading_stays_with_a_block_that_is_kept_together() -> None:
    assert pages(FULL, heading("x"), paragraph(LINES, keepTogether=True)) == [(1, 1), (2, 2), (2, 2)]


@pytest.mark.parametrize("between", [[], [{"type": "spacer", "height": 5}]])
def test_a_block_stays_with_the_next_one(between: list[Written]) -> None:
    last = paragraph("\n".join(["A line."] * 42))
    field = text_field("Company")
    assert pages(last, paragraph("x"), *between, field)[1][0] == 1
    assert pages(last, paragraph("x", keepWithNext=True), *between, field)[1:] == [(2, 2)] * (2 + len(between))


def test_several_blocks_stay_together_and_those_that_fit_on_no_page_give_way() -> None:
    kept = paragraph(LINES, keepWithNext=True)
    assert pages(FULL, *[kept] * 3, paragraph("x"))[1:] == [(2, 2)] * 4
    blocks = (*[kept] * 9, paragraph("x"))
    assert pages(*blocks)[-1][0] == 3
    assert len(warnings(*blocks)) <= 2
    assert warnings(kept | {"keepTogether": True}, {"type": "pageBreak"}, paragraph("x")) == ["/blocks/0/keepWithNext"]


def test_the_last_block_and_blocks_of_every_type_take_the_members() -> None:
    kept = {"keepTogether": True, "keepWithNext": True}
    blocks = ({"type": "spacer", "height": 5} | kept, {"type": "pageBreak"} | kept, text_field("x") | kept)
    assert warnings(*blocks) == ["/blocks/0/keepWithNext"]  # a page break follows it
    assert pages(*blocks)[-1] == (2, 2)


def test_a_page_with_a_taller_header_does_not_refuse_what_the_next_page_would_hold() -> None:
    blocks = (paragraph("\n".join(["A line."] * 46), keepTogether=True), paragraph("x"))
    assert pages(*blocks)[0][0] == 1

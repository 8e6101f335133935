"""Blocks on pages of 100 points: lines of 10, and a gap of 7.5 after a paragraph. Specification 2.7, 2.12."""

import pytest

from layout.blocks.block import Block
from layout.blocks.controls import Underline
from layout.blocks.fields import Input, LabelledField
from layout.blocks.spacer import Spacer
from layout.paging.pagination import PageBreakMark
from layout.zone import ZoneType
from tests.layout.even_fonts import TEN
from tests.layout.flows import heading, page_break, paginated, paragraph, places


def tall_field(at: int, label_lines: int) -> LabelledField:
    label = "\n".join("x" for _ in range(label_lines))
    data = Input("name", label, "client", required=False, placeholder=None)
    return LabelledField(f"/blocks/{at}", data, TEN, Underline(ZoneType.TEXT))


SPACER = Spacer("/blocks/1", 30)
Pages = list[list[tuple[str, float, float]]]
PLACED: dict[str, tuple[list[Block | PageBreakMark], Pages]] = {
    "the larger gap lies between two blocks": (
        [paragraph(0, 2), paragraph(1, 1), heading(2), paragraph(3, 1)],
        # 20 + 7.5; 37.5 + the 18 above a heading; 65.5 + the 6 below it
        [[("0", 0, 20), ("1", 27.5, 10), ("2", 55.5, 10), ("3", 71.5, 10)]],
    ),
    "no gap lies above the first block of a page": ([heading(0), paragraph(1, 1)], [[("0", 0, 10), ("1", 16, 10)]]),
    "a paragraph goes on over the page": ([paragraph(0, 13)], [[("0", 0, 100)], [("0", 0, 30)]]),
    "a paragraph goes on over as many pages as it takes": (
        [paragraph(0, 35)],
        [[("0", 0, 100)], [("0", 0, 100)], [("0", 0, 100)], [("0", 0, 50)]],
    ),
    "two lines at least go over to the next page": ([paragraph(0, 11)], [[("0", 0, 90)], [("0", 0, 20)]]),
    "a paragraph of which one line would fit goes over whole": (
        [paragraph(0, 8), paragraph(1, 4)],  # 12.5 points of room after the first
        [[("0", 0, 80)], [("1", 0, 40)]],
    ),
    "a heading goes over with the paragraph that has no room": (
        [paragraph(0, 6), heading(1), paragraph(2, 2)],  # after the heading 6 points would be left
        [[("0", 0, 60)], [("1", 0, 10), ("2", 16, 20)]],
    ),
    "a heading stays when two lines of its paragraph fit": (
        [paragraph(0, 4), heading(1), paragraph(2, 4)],  # 26 points left after the heading
        [[("0", 0, 40), ("1", 58, 10), ("2", 74, 20)], [("2", 0, 20)]],
    ),
    "headings in a row stay together and with their paragraph": (
        [paragraph(0, 4), heading(1), heading(2), paragraph(3, 2)],
        [[("0", 0, 40)], [("1", 0, 10), ("2", 28, 10), ("3", 44, 20)]],
    ),
    "a heading stays with its paragraph across a spacer": (
        [paragraph(0, 5), heading(1), Spacer("/blocks/2", 10), paragraph(3, 2)],
        [[("0", 0, 50)], [("1", 0, 10), ("3", 26, 20)]],
    ),
    "a heading before a break has nothing to stay with": (
        [heading(0), page_break(1), paragraph(2, 1)],
        [[("0", 0, 10)], [("2", 0, 10)]],
    ),
    "an input that finds no room goes over whole": (
        [paragraph(0, 7), tall_field(1, 1)],
        [[("0", 0, 70)], [("1", 0, pytest.approx(35))]],
    ),
    "a spacer parts two blocks by its height and their gap": (
        [paragraph(0, 1), SPACER, paragraph(2, 1)],
        [[("0", 0, 10), ("2", 47.5, 10)]],  # 10 + 30 + 7.5
    ),
    "a spacer at the top of the document is kept": ([SPACER, paragraph(2, 1)], [[("2", 30, 10)]]),
    "a spacer at a page top after an automatic break is left out": (
        [paragraph(0, 10), SPACER, paragraph(2, 1)],
        [[("0", 0, 100)], [("2", 0, 10)]],
    ),
    "a spacer that straddles the page end leaves nothing for the next page": (
        [paragraph(0, 8), SPACER, paragraph(2, 1)],
        [[("0", 0, 80)], [("2", 0, 10)]],
    ),
    "a spacer at a page top after a forced break is kept": (
        [paragraph(0, 1), page_break(1), SPACER, paragraph(2, 1)],
        [[("0", 0, 10)], [("2", 30, 10)]],
    ),
    "a spacer taller than a page does not make an empty one": (
        [paragraph(0, 1), Spacer("/blocks/1", 600), paragraph(2, 1)],
        [[("0", 0, 10)], [("2", 0, 10)]],
    ),
    **{
        f"{breaks} breaks in a row leave no empty page": (
            [paragraph(0, 1), *(page_break(at + 1) for at in range(breaks)), paragraph(9, 1)],
            [[("0", 0, 10)], [("9", 0, 10)]],
        )
        for breaks in (1, 2, 5)
    },
    "a break at the end leaves no empty page": ([paragraph(0, 1), page_break(1)], [[("0", 0, 10)]]),
}


@pytest.mark.parametrize("rule", PLACED)
def test_blocks_are_placed_by_the_rule(rule: str) -> None:
    blocks, pages = PLACED[rule]
    assert places(paginated(*blocks)) == pages


def test_more_headings_than_a_page_holds_are_placed_all_the_same() -> None:
    result = paginated(*(heading(at) for at in range(9)), paragraph(9, 1))
    assert [frame[0] for page in places(result) for frame in page] == [str(at) for at in range(10)]
    assert [frame[0] for frame in places(result)[-1]][-2:] == ["8", "9"]


def test_a_block_that_fits_on_no_page_is_set_aside_and_the_next_ones_are_placed() -> None:
    result = paginated(paragraph(0, 1), tall_field(1, 20), paragraph(2, 1))
    assert [block.path for block in result.unplaced] == ["/blocks/1"]
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["2"]]
    assert result.start_pages["/blocks/1"] == 2
    result = paginated(heading(0, "\n".join("x" * 11)), paragraph(1, 1))
    assert [block.path for block in result.unplaced] == ["/blocks/0"]


def test_every_block_has_the_page_where_it_begins() -> None:
    result = paginated(paragraph(0, 8), paragraph(1, 20), page_break(2), paragraph(3, 1))
    assert result.start_pages == {"/blocks/0": 1, "/blocks/1": 2, "/blocks/2": 4, "/blocks/3": 4}
    result = paginated(page_break(0), page_break(1))
    assert len(result.bodies) == 1
    assert result.start_pages == {"/blocks/0": 1, "/blocks/1": 1}

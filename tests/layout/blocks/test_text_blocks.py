"""Headings, paragraphs and bullet lists in letters ten points wide and lines of ten points. Specification 2.7, 2.12.

Items of lists have an indent of 19 and 4 points between them.
"""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.blocks.block import Nothing, Part, Whole
from layout.blocks.text_blocks import BulletList, Heading, Paragraph
from layout.frames import Frame, Role, Text
from layout.geometry import Region
from tests.layout import flows
from tests.layout.even_fonts import TEN, fit, items_of, part, placed, texts_of, whole
from tests.layout.flows import heading, paginated, places

WORDS = ("one", "two", "three", "four", "five")


def paragraph(lines: int, align: str = "start") -> Paragraph:
    return Paragraph("/blocks/0", "\n".join(WORDS[:lines]), TEN, align)


def shown(frame: Frame) -> list[str]:
    return [text.rstrip() for text in texts_of(frame)]


def test_a_heading_is_never_split_and_keeps_with_the_next_block() -> None:
    block = Heading("/blocks/0", "one two", TEN)
    assert whole(block, width=30).height == 20  # two lines of 10
    assert isinstance(fit(block, 19, 30), Nothing)
    assert block.keeps_with_next


def test_each_line_stands_one_leading_below_the_last() -> None:
    frame = whole(paragraph(3), height=30)
    assert [item.y for item in items_of(frame, Text)] == [8, 18, 28]  # 8, 10 + 8, 20 + 8
    assert frame.height == 30


@pytest.mark.parametrize(("align", "x"), [("left", 0), ("center", 35), ("right", 70)])
def test_a_line_of_30_points_in_100_is_set_to_its_side(align: str, x: float) -> None:
    (line,) = items_of(whole(paragraph(1, align)), Text)
    assert line.x == x


@pytest.mark.parametrize("height", [39, 40])  # at 40, a fourth line would leave one for the next page
def test_a_paragraph_is_split_where_the_page_ends_and_no_last_line_is_alone(height: float) -> None:
    first, rest = part(paragraph(5), height)
    assert (shown(first), first.height) == (["one", "two", "three"], 30)
    assert shown(rest) == ["four", "five"]


@pytest.mark.parametrize(("lines", "height"), [(5, 19), (2, 19), (3, 29)])
def test_no_first_line_is_alone_and_three_lines_or_fewer_are_never_split(lines: int, height: float) -> None:
    assert isinstance(fit(paragraph(lines), height), Nothing)


def test_rounding_does_not_push_a_line_off_its_page() -> None:
    assert isinstance(fit(paragraph(3), 29.9999), Whole)


def test_fitting_leaves_the_paragraph_as_it_was() -> None:
    block = paragraph(5)
    assert fit(block, 39) == fit(block, 39)
    assert block == paragraph(5)


def bullets(*lines: int, at: int = 0) -> BulletList:
    """A list of items with so many lines each."""
    items = tuple("\n".join(f"{item}.{line}" for line in range(count)) for item, count in enumerate(lines))
    return BulletList(f"/blocks/{at}", items, TEN)


def lines(frame: Frame) -> list[str]:
    return list(chain.from_iterable(shown(item.frame) for item in placed(frame)))


def test_lines_hang_beside_their_bullet() -> None:
    (item,) = placed(whole(BulletList("/blocks/0", ("one two",), TEN), width=59))  # 40 beside the indent: four letters
    (label,) = placed(item.frame)
    assert label.frame.role is Role.LABEL
    (bullet,) = items_of(label.frame, Text)
    assert (bullet.text, bullet.x, bullet.y, bullet.x + bullet.width) == ("•", 1, 8, 11)  # its middle 6 from the edge
    assert [(text.text, text.x, text.y) for text in items_of(item.frame, Text)] == [("one ", 19, 8), ("two", 19, 18)]


def test_items_follow_each_other_with_a_small_gap_and_have_pointers_of_their_own() -> None:
    frame = whole(bullets(1, 2, 1))
    assert [(item.y, item.frame.height, item.frame.path) for item in placed(frame)] == [
        (0, 10, "/blocks/0/items/0"),
        (14, 20, "/blocks/0/items/1"),
        (38, 10, "/blocks/0/items/2"),
    ]
    assert frame.height == 48


@pytest.mark.parametrize(
    ("counts", "height", "before", "after"),
    [
        ((1, 1, 1), 33, ["0.0", "1.0"], ["2.0"]),  # 10 + 4 + 10, and 9 of the 14 that the third needs
        ((1, 4), 49, ["0.0", "1.0", "1.1"], ["1.2", "1.3"]),  # 10 + 4, and room for three lines
        ((1, 2), 33, ["0.0"], ["1.0", "1.1"]),  # an item of three lines or fewer is never split
        ((1, 3), 43, ["0.0"], ["1.0", "1.1", "1.2"]),
    ],
)
def test_a_list_breaks_between_items_or_with_two_lines_on_either_page(
    counts: tuple[int, ...], height: float, before: list[str], after: list[str]
) -> None:
    first, rest = part(bullets(*counts), height)
    assert (lines(first), lines(rest)) == (before, after)
    assert placed(rest)[0].y == 0


def test_an_item_that_goes_on_has_no_second_bullet() -> None:
    (first,), (second,) = map(placed, part(bullets(6), 30))
    assert (len(placed(first.frame)), placed(second.frame)) == (1, [])
    assert first.frame.path == second.frame.path


@pytest.mark.parametrize("height", [0, 9, 19])
def test_a_list_that_cannot_begin_goes_over_whole(height: float) -> None:
    assert isinstance(fit(bullets(2, 1), height), Nothing)


def test_a_word_longer_than_a_line_breaks_beside_the_bullet() -> None:
    assert lines(whole(BulletList("/blocks/0", ("x" * 9,), TEN), width=59)) == ["xxxx", "xxxx", "x"]


def test_a_heading_goes_over_with_the_list_and_a_list_over_as_many_pages_as_it_takes() -> None:
    result = paginated(flows.paragraph(0, 7), heading(1), bullets(2, 2, at=2))
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["1", "2"]]
    result = paginated(bullets(*[1] * 20))  # 7 items of 10 with 4 between are 94 of 100 points
    assert [page[0][2] for page in places(result)] == [94, 94, 80]


@given(counts=st.lists(st.integers(1, 12), min_size=1, max_size=12), height=st.floats(30, 120))
def test_parts_of_a_list_hold_all_lines_once_and_never_one_alone(counts: list[int], height: float) -> None:
    block, read, parts = bullets(*counts), [], []
    while True:
        found = fit(block, height)
        assert not isinstance(found, Nothing)
        assert Region(100, height).holds(found.frame.height)
        read += lines(found.frame)
        parts += [(item.frame.path, item.frame.height) for item in placed(found.frame)]
        if isinstance(found, Whole):
            break
        assert isinstance(found, Part)
        block = found.rest
    assert read == [f"{item}.{line}" for item, count in enumerate(counts) for line in range(count)]
    lengths = {f"/blocks/0/items/{item}": count for item, count in enumerate(counts)}
    assert all(height >= 20 or lengths[path] == 1 for path, height in parts)

"""Bullet lists in letters ten points wide: an indent of 19, lines of 10, 4 between items. Specification 2.7, 2.12."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.blocks.block import Nothing, Part, Whole
from layout.blocks.text_blocks import BulletList
from layout.paging.frames import Frame, Placed, Role, Text
from layout.paging.geometry import Region
from tests.layout.even_fonts import EVEN, TEN
from tests.layout.flows import heading, paginated, paragraph, places


def bullets(*lines: int, at: int = 0) -> BulletList:
    """A list of items with so many lines each."""
    items = tuple("\n".join(f"{item}.{line}" for line in range(count)) for item, count in enumerate(lines))
    return BulletList(f"/blocks/{at}", items, TEN)


def items(frame: Frame) -> list[Placed]:
    return [item for item in frame.items if isinstance(item, Placed)]


def lines(frame: Frame) -> list[str]:
    return [line.text.strip() for item in items(frame) for line in item.frame.items if isinstance(line, Text)]


def fit(block: BulletList, height: float, width: float = 100) -> Whole | Part | Nothing:
    return block.fit(Region(width, height), EVEN)


def test_lines_hang_beside_their_bullet() -> None:
    found = fit(BulletList("/blocks/0", ("one two",), TEN), 100, width=59)  # 40 beside the indent: four letters
    assert isinstance(found, Whole)
    (item,) = items(found.frame)
    (label,) = items(item.frame)
    assert (label.frame.role, [text.text for text in label.frame.items if isinstance(text, Text)]) == (
        Role.LABEL,
        ["•"],
    )
    assert [(text.text, text.x, text.y) for text in item.frame.items if isinstance(text, Text)] == [
        ("one ", 19, 8), ("two", 19, 18)  # the baseline 8 below the top of its line
    ]  # fmt: skip


def test_the_bullet_stands_in_the_indent() -> None:
    found = fit(bullets(1), 100)
    assert isinstance(found, Whole)
    ((bullet,),) = ([t for t in items(item.frame)[0].frame.items if isinstance(t, Text)] for item in items(found.frame))
    assert (bullet.x, bullet.y, bullet.x + bullet.width) == (1, 8, 11)  # its middle 6 from the edge


def test_items_follow_each_other_with_a_small_gap() -> None:
    found = fit(bullets(1, 2, 1), 100)
    assert isinstance(found, Whole)
    assert [(item.y, item.frame.height) for item in items(found.frame)] == [(0, 10), (14, 20), (38, 10)]
    assert found.frame.height == 48


def test_each_item_has_a_pointer_of_its_own() -> None:
    found = fit(bullets(1, 1), 100)
    assert isinstance(found, Whole)
    assert [item.frame.path for item in items(found.frame)] == ["/blocks/0/items/0", "/blocks/0/items/1"]


def test_a_list_breaks_between_items() -> None:
    found = fit(bullets(1, 1, 1), 33)  # 10 + 4 + 10, and 9 of the 14 that the third needs
    assert isinstance(found, Part)
    assert lines(found.frame) == ["0.0", "1.0"]
    rest = found.rest.fit(Region(100, 100), EVEN)
    assert isinstance(rest, Whole)
    assert [item.y for item in items(rest.frame)] == [0]


def test_a_list_breaks_in_an_item_of_which_two_lines_stay_on_either_page() -> None:
    found = fit(bullets(1, 4), 49)  # 10 + 4, and room for three lines
    assert isinstance(found, Part)
    assert lines(found.frame) == ["0.0", "1.0", "1.1"]
    rest = found.rest.fit(Region(100, 100), EVEN)
    assert isinstance(rest, Whole)
    assert lines(rest.frame) == ["1.2", "1.3"]


@pytest.mark.parametrize("count", [2, 3])
def test_an_item_of_three_lines_or_fewer_is_never_split(count: int) -> None:
    found = fit(bullets(1, count), 10 + 4 + 10 * count - 1)
    assert isinstance(found, Part)
    assert lines(found.frame) == ["0.0"]


def test_an_item_that_goes_on_has_no_second_bullet() -> None:
    found = fit(bullets(6), 30)
    assert isinstance(found, Part)
    rest = found.rest.fit(Region(100, 100), EVEN)
    assert isinstance(rest, Whole)
    (first,), (second,) = items(found.frame), items(rest.frame)
    assert len(items(first.frame)) == 1
    assert items(second.frame) == []
    assert first.frame.path == second.frame.path


@pytest.mark.parametrize("height", [0, 9, 19])
def test_a_list_that_cannot_begin_goes_over_whole(height: float) -> None:
    assert isinstance(fit(bullets(2, 1), height), Nothing)


def test_a_word_longer_than_a_line_breaks_beside_the_bullet() -> None:
    found = fit(BulletList("/blocks/0", ("x" * 9,), TEN), 100, width=59)
    assert isinstance(found, Whole)
    assert lines(found.frame) == ["xxxx", "xxxx", "x"]


def test_a_heading_goes_over_with_the_list_that_has_no_room() -> None:
    result = paginated(paragraph(0, 7), heading(1), bullets(2, 2, at=2))
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["1", "2"]]


def test_a_list_goes_on_over_as_many_pages_as_it_takes() -> None:
    result = paginated(bullets(*[1] * 20))  # 7 items of 10 with 4 between are 94 of 100 points
    assert [page[0][2] for page in places(result)] == [94, 94, 80]


@given(counts=st.lists(st.integers(1, 12), min_size=1, max_size=12), height=st.floats(30, 120))
def test_parts_of_a_list_hold_all_lines_once_and_never_one_alone(counts: list[int], height: float) -> None:
    block, shown, parts = bullets(*counts), [], []
    while True:
        found = block.fit(Region(100, height), EVEN)
        assert not isinstance(found, Nothing)
        assert Region(100, height).holds(found.frame.height)
        shown += lines(found.frame)
        parts += [(item.frame.path, item.frame.height) for item in items(found.frame)]
        if isinstance(found, Whole):
            break
        block = found.rest  # type: ignore[assignment]  # the rest of a list is fitted like one
    assert shown == [f"{item}.{line}" for item, count in enumerate(counts) for line in range(count)]
    whole = {f"/blocks/0/items/{item}": count for item, count in enumerate(counts)}
    assert all(part >= 20 or whole[path] == 1 for path, part in parts)

import pytest

from layout.blocks.block import Nothing, Part, Whole
from layout.blocks.text_blocks import Paragraph
from layout.paging.frames import Text
from layout.paging.geometry import Region
from tests.layout.even_fonts import EVEN, TEN

WORDS = ("one", "two", "three", "four", "five")


def paragraph(lines: int, **members: object) -> Paragraph:
    return Paragraph("/blocks/0", "\n".join(WORDS[:lines]), TEN, **members)  # type: ignore[arg-type]


def region(height: float) -> Region:
    return Region(width=100, height=height)


def shown(fit: Whole | Part) -> list[str]:
    return [item.text.rstrip() for item in fit.frame.items if isinstance(item, Text)]


def test_each_line_stands_one_leading_below_the_last() -> None:
    fit = paragraph(3).fit(region(30), EVEN)
    assert isinstance(fit, Whole)
    assert [item.y for item in fit.frame.items if isinstance(item, Text)] == [8, 18, 28]  # 8, 10 + 8, 20 + 8
    assert fit.frame.height == 30


@pytest.mark.parametrize(("align", "x"), [("left", 0), ("center", 35), ("right", 70)])
def test_a_line_of_30_points_in_100_is_set_to_its_side(align: str, x: float) -> None:
    fit = paragraph(1, align=align).fit(region(30), EVEN)
    assert isinstance(fit, Whole)
    (line,) = (item for item in fit.frame.items if isinstance(item, Text))
    assert line.x == x


def test_a_paragraph_is_split_where_the_room_ends() -> None:
    fit = paragraph(5).fit(region(39), EVEN)
    assert isinstance(fit, Part)
    assert (shown(fit), fit.frame.height) == (["one", "two", "three"], 30)
    rest = fit.rest.fit(region(20), EVEN)
    assert isinstance(rest, Whole)
    assert shown(rest) == ["four", "five"]


def test_a_last_line_is_never_alone_on_the_next_page() -> None:
    fit = paragraph(5).fit(region(40), EVEN)  # room for four
    assert isinstance(fit, Part)
    assert shown(fit) == ["one", "two", "three"]


def test_a_first_line_is_never_alone_at_the_bottom() -> None:
    assert isinstance(paragraph(5).fit(region(19), EVEN), Nothing)


@pytest.mark.parametrize("lines", [2, 3])
def test_three_lines_or_fewer_are_never_split(lines: int) -> None:
    assert isinstance(paragraph(lines).fit(region(lines * 10 - 1), EVEN), Nothing)


def test_rounding_does_not_push_a_line_off_its_page() -> None:
    assert isinstance(paragraph(3).fit(region(29.9999), EVEN), Whole)


def test_fitting_leaves_the_paragraph_as_it_was() -> None:
    block = paragraph(5)
    assert block.fit(region(39), EVEN) == block.fit(region(39), EVEN)
    assert block == paragraph(5)

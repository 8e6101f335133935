from layout.blocks.controls import Underline
from layout.blocks.fields import Input, LabelledField
from layout.blocks.image_and_spacer import Spacer
from layout.zones.zone import ZoneType
from tests.layout.even_fonts import TEN
from tests.layout.flows import heading, page_break, paginated, paragraph, places


def tall_field(at: int, label_lines: int) -> LabelledField:
    label = "\n".join("x" for _ in range(label_lines))
    return LabelledField(
        f"/blocks/{at}", Input("name", label, "client", required=False, placeholder=None), TEN, Underline(ZoneType.TEXT)
    )


def test_blocks_follow_each_other_with_the_larger_gap_between() -> None:
    result = paginated(paragraph(0, 2), paragraph(1, 1), heading(2), paragraph(3, 1))
    assert places(result) == [
        [("0", 0, 20), ("1", 27.5, 10), ("2", 55.5, 10), ("3", 71.5, 10)]
        # 20 + 7.5; 37.5 + the 18 above a heading; 65.5 + the 6 below it
    ]


def test_no_room_is_left_above_the_first_block_of_a_page() -> None:
    assert places(paginated(heading(0), paragraph(1, 1)))[0][0] == ("0", 0, 10)


def test_a_paragraph_goes_on_over_the_page() -> None:
    result = paginated(paragraph(0, 13))
    assert places(result) == [[("0", 0, 100)], [("0", 0, 30)]]


def test_a_paragraph_goes_on_over_as_many_pages_as_it_takes() -> None:
    assert [page[0][2] for page in places(paginated(paragraph(0, 35)))] == [100, 100, 100, 50]


def test_two_lines_at_least_go_over_to_the_next_page() -> None:
    assert [page[0][2] for page in places(paginated(paragraph(0, 11)))] == [90, 20]


def test_a_paragraph_of_which_one_line_would_fit_goes_over_whole() -> None:
    result = paginated(paragraph(0, 8), paragraph(1, 4))  # 12.5 points of room after the first
    assert places(result) == [[("0", 0, 80)], [("1", 0, 40)]]


def test_a_heading_goes_over_with_the_paragraph_that_has_no_room() -> None:
    result = paginated(paragraph(0, 6), heading(1), paragraph(2, 2))  # after the heading 6 points would be left
    assert places(result) == [[("0", 0, 60)], [("1", 0, 10), ("2", 16, 20)]]


def test_a_heading_stays_when_two_lines_of_its_paragraph_fit() -> None:
    result = paginated(paragraph(0, 4), heading(1), paragraph(2, 4))  # 26 points left after the heading
    assert places(result) == [[("0", 0, 40), ("1", 58, 10), ("2", 74, 20)], [("2", 0, 20)]]


def test_headings_in_a_row_stay_together_and_with_their_paragraph() -> None:
    result = paginated(paragraph(0, 4), heading(1), heading(2), paragraph(3, 2))
    assert places(result) == [[("0", 0, 40)], [("1", 0, 10), ("2", 28, 10), ("3", 44, 20)]]


def test_a_heading_stays_with_its_paragraph_across_a_spacer() -> None:
    result = paginated(paragraph(0, 5), heading(1), Spacer("/blocks/2", 10), paragraph(3, 2))
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["1", "3"]]


def test_a_heading_before_a_break_has_nothing_to_stay_with() -> None:
    result = paginated(heading(0), page_break(1), paragraph(2, 1))
    assert places(result) == [[("0", 0, 10)], [("2", 0, 10)]]


def test_more_headings_than_a_page_holds_are_placed_all_the_same() -> None:
    result = paginated(*(heading(at) for at in range(9)), paragraph(9, 1))
    assert [frame[0] for page in places(result) for frame in page] == [str(at) for at in range(10)]
    assert [frame[0] for frame in places(result)[-1]][-2:] == ["8", "9"]


def test_a_field_that_finds_no_room_goes_over_whole() -> None:
    result = paginated(paragraph(0, 7), tall_field(1, 1))
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["1"]]


def test_what_fits_on_no_page_is_set_aside_and_the_rest_goes_on() -> None:
    result = paginated(paragraph(0, 1), tall_field(1, 20), paragraph(2, 1))
    assert [block.path for block in result.unplaced] == ["/blocks/1"]
    assert [[frame[0] for frame in page] for page in places(result)] == [["0"], ["2"]]
    assert result.start_pages["/blocks/1"] == 2


def test_a_heading_taller_than_a_page_is_set_aside_too() -> None:
    result = paginated(heading(0, "\n".join("x" * 11)), paragraph(1, 1))
    assert [block.path for block in result.unplaced] == ["/blocks/0"]


def test_every_block_lands_where_it_begins() -> None:
    result = paginated(paragraph(0, 8), paragraph(1, 20), page_break(2), paragraph(3, 1))
    assert result.start_pages == {"/blocks/0": 1, "/blocks/1": 2, "/blocks/2": 4, "/blocks/3": 4}


def test_a_flow_of_nothing_but_breaks_is_one_page() -> None:
    result = paginated(page_break(0), page_break(1))
    assert len(result.bodies) == 1
    assert result.start_pages == {"/blocks/0": 1, "/blocks/1": 1}

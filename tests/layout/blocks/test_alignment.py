"""Blocks whose labels read from right to left have everything at the other side, zones and options included."""

from layout.engine import render
from layout.geometry import MARGIN, PAGE_WIDTH
from layout.zone import Zone
from tests.layout.documents import KEYS, Written, checkbox, document, field, row, text_field

RIGHT = PAGE_WIDTH - MARGIN


def zones(*blocks: Written) -> tuple[Zone, ...]:
    rendered = render(document(*blocks), KEYS)
    assert rendered.issues == ()
    return rendered.zones


def test_boxes_and_the_first_input_of_a_row_stand_at_the_right_edge() -> None:
    latin, arabic = zones(checkbox("I agree"), checkbox("أوافق"))
    assert latin.x - MARGIN == RIGHT - arabic.x - arabic.w
    initials, first, second = zones(field("initials", "الأحرف الأولى"), row(text_field("الاسم"), text_field("تاريخ")))
    assert initials.x + initials.w == first.x + first.w == RIGHT
    assert second.x == MARGIN


def test_options_begin_at_the_right_with_their_boxes() -> None:
    (group,) = zones(field("radio", "الحجم", options=["صغير", "متوسط", "كبير"]))
    places = [option.x for option in group.options]
    assert places == sorted(places, reverse=True)
    assert group.options[0].x + group.options[0].w == RIGHT - 0.5

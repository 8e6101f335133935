"""Blocks whose labels read from right to left have everything at the other side, zones and options included."""

from layout.engine import render
from layout.paging.geometry import MARGIN, PAGE_WIDTH
from layout.zones.zone import Zone
from tests.layout.documents import KEYS, document

Written = dict[str, object]
RIGHT = PAGE_WIDTH - MARGIN


def zones(*blocks: Written) -> tuple[Zone, ...]:
    rendered = render(document(*blocks), KEYS)
    assert rendered.issues == ()
    return rendered.zones


def field(type_: str, label: str, **members: object) -> Written:
    return {"type": "field", "fieldType": type_, "label": label, "recipient": "client", **members}


def test_a_tick_box_stands_at_the_right_edge() -> None:
    latin, arabic = zones(field("checkbox", "I agree"), field("checkbox", "أوافق"))
    assert latin.x - MARGIN == RIGHT - arabic.x - arabic.w


def test_options_begin_at_the_right_with_their_boxes() -> None:
    (group,) = zones(field("radio", "الحجم", options=["صغير", "متوسط", "كبير"]))
    places = [option.x for option in group.options]
    assert places == sorted(places, reverse=True)
    assert group.options[0].x + group.options[0].w == RIGHT - 0.5


def test_a_box_narrower_than_the_page_stands_at_the_right_edge() -> None:
    (initials,) = zones(field("initials", "الأحرف الأولى"))
    assert initials.x + initials.w == RIGHT


def test_the_first_input_of_a_row_is_at_the_right() -> None:
    fields = [{"fieldType": "text", "label": label, "recipient": "client"} for label in ("الاسم", "تاريخ")]
    first, second = zones({"type": "fieldRow", "fields": fields})
    assert first.x + first.w == RIGHT
    assert second.x == MARGIN

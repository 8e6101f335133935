"""Where the values of each type stand in their zones, and how much of a text a zone holds. Specification 2.8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layout.engine import ZoneValue, fitting_length, render, stamp
from layout.frames import Text
from layout.geometry import Rect
from layout.text.characters import prepare_line
from layout.text.fonts import ShippedFonts
from layout.zone import ZoneOption, ZoneType
from layout.zones.value_layout import READABLE, rect_of, value_dots, value_texts, value_ticks
from tests.layout.documents import KEYS, document, field, row
from tests.layout.reading import check, text_of
from tests.layout.zones.filled import BOXES, body, ink, within, zone
from tests.layout.zones.test_draw_values import drawing

FONTS = ShippedFonts()
LINES = [ZoneType.TEXT, ZoneType.DATE, ZoneType.NUMBER, ZoneType.EMAIL, ZoneType.AU_MOBILE]
COLOURS = (
    ZoneOption(text="Red", x=56, y=300, w=11, h=11),
    ZoneOption(text="Green", x=156, y=300, w=11, h=11),
    ZoneOption(text="Blue", x=56, y=320, w=11, h=11),
)


def texts(type: ZoneType, value: str) -> list[Text]:
    return list(value_texts(ZoneValue(zone(type), text=value), FONTS))


@pytest.mark.parametrize("type", LINES)
def test_a_value_on_an_underline_stands_on_it_at_the_left(type: ZoneType) -> None:
    (text,) = texts(type, "0491 570 156")
    box = BOXES[type]
    assert text.style.size == 10.5
    assert text.x == box.x
    assert box.bottom - 6 < text.y < box.bottom - 1.5


def test_several_lines_stand_in_their_box_from_the_top_with_the_breaks_that_were_typed() -> None:
    first, second, third = texts(ZoneType.MULTILINE_TEXT, "First\n\nThird")
    assert (first.text.strip(), second.text.strip(), third.text) == ("First", "", "Third")
    assert first.style.size == 10.5
    assert first.y - 200 < 4 + first.style.leading
    assert third.y - first.y == pytest.approx(2 * first.style.leading)


def test_several_lines_wrap_at_their_full_size_before_they_shrink() -> None:
    few, many = texts(ZoneType.MULTILINE_TEXT, "word " * 60), texts(ZoneType.MULTILINE_TEXT, "word " * 200)
    assert len(few) > 1
    assert few[0].style.size == 10.5
    assert READABLE <= many[0].style.size < 10.5


def test_a_chosen_option_stands_in_its_dropdown_half_way_up_and_keeps_off_the_arrow() -> None:
    (text,) = texts(ZoneType.DROPDOWN, "A choice that is so long that it would reach the arrow")
    box = BOXES[ZoneType.DROPDOWN]
    assert text.x == box.x + 4
    assert text.x + text.width <= box.right - 20
    assert abs(text.y - 0.35 * text.style.size - (box.y + box.h / 2)) < 1.5


def test_a_choice_under_a_label_from_right_to_left_keeps_off_the_arrow_at_the_left() -> None:
    dropdown = zone(ZoneType.DROPDOWN, label="الدولة")
    text, *_ = value_texts(ZoneValue(dropdown, text="A choice that is so long that it would reach the arrow"), FONTS)
    box = BOXES[ZoneType.DROPDOWN]
    assert text.x >= box.x + 20
    assert text.x + text.width == pytest.approx(box.right - 4)


def test_a_value_from_right_to_left_begins_at_the_right_of_its_zone() -> None:
    (text,) = texts(ZoneType.TEXT, "שלום")
    assert text.x + text.width == pytest.approx(BOXES[ZoneType.TEXT].right)


LONG = "An option with far more to say than one line of a dropdown holds, however wide it may be on the page. "


@pytest.mark.parametrize("words", [1, 7, 8, 9, 10, 20, 40])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_every_option_of_a_dropdown_can_be_printed_at_its_full_size(words: int, columns: int) -> None:
    options = ["Short", " ".join((LONG * 3).split()[:words])]
    fields = [field("dropdown", f"List {at}", options=options) for at in range(columns)]
    rendered = render(document(row(*fields) if columns > 1 else fields[0]), KEYS)
    assert rendered.issues == ()
    for list_ in rendered.zones:
        found = list(value_texts(ZoneValue(list_, text=options[1]), FONTS))
        assert {text.style.size for text in found} == {10.5}
        assert found[-1].y < list_.y + list_.h - 4


def test_any_value_under_a_label_from_right_to_left_begins_at_the_right() -> None:
    (text,) = value_texts(ZoneValue(zone(ZoneType.DATE, label="تاريخ"), text="2026-06-12"), FONTS)
    assert text.x + text.width == pytest.approx(BOXES[ZoneType.DATE].right)


def test_typed_initials_are_written_by_hand_in_the_middle_of_their_box() -> None:
    (text,) = texts(ZoneType.INITIALS, "A.L.")
    box = BOXES[ZoneType.INITIALS]
    assert text.x + text.width / 2 == pytest.approx(box.x + box.w / 2)
    assert text.style.size > 15


def test_drawn_initials_stand_in_the_middle_of_their_box() -> None:
    drawn = ink(ZoneValue(zone(ZoneType.INITIALS), image=drawing(100, 100)))
    assert drawn.x + drawn.w / 2 == pytest.approx(56 + 36, abs=1)
    assert drawn.y + drawn.h / 2 == pytest.approx(200 + 18, abs=1)
    assert within(drawn, BOXES[ZoneType.INITIALS])


@pytest.mark.parametrize("value", ["x", "two words", "word " * 300, "x" * 2_000, "W\n" * 40])
@pytest.mark.parametrize("type", list(BOXES))
def test_whatever_is_drawn_stays_within_its_zone(type: ZoneType, value: str) -> None:
    room = rect_of(zone(type))
    for text in texts(type, value):
        assert text.x >= room.x
        assert text.x + text.width <= room.right + 0.01
        assert text.y - 0.935 * text.style.size >= room.y - 0.01
        assert text.y + 0.265 * text.style.size <= room.bottom + 0.01


@pytest.mark.parametrize("type", list(BOXES))
def test_what_is_said_to_fit_can_be_read_and_one_character_more_cannot(type: ZoneType) -> None:
    long = "The quick brown fox jumps over the lazy dog. " * 200
    room = fitting_length(long, zone(type))
    assert room is not None
    assert fitting_length(long[:room], zone(type)) is None
    assert fitting_length(long[: room + 1], zone(type)) is not None
    assert texts(type, long[:room])[0].style.size >= READABLE


def test_lines_that_were_typed_count_too() -> None:
    box = zone(ZoneType.MULTILINE_TEXT)
    assert fitting_length("x\n" * 7 + "x", box) is None
    assert fitting_length("x\n" * 30, box) is not None


@pytest.mark.parametrize(("type", "least"), [(ZoneType.TEXT, 250), (ZoneType.MULTILINE_TEXT, 1000)])
def test_a_zone_over_the_whole_width_holds_a_lot(type: ZoneType, least: int) -> None:
    assert fitting_length("The quick brown fox. " * (least // 21), zone(type)) is None


def test_one_box_is_ticked_as_a_whole_and_several_by_their_options() -> None:
    alone = zone(ZoneType.CHECKBOX, Rect(56, 300, 11, 11))
    group = zone(ZoneType.CHECKBOX, options=COLOURS)
    assert value_ticks(ZoneValue(alone, ticked=True)) == (Rect(56, 300, 11, 11),)
    assert value_ticks(ZoneValue(alone)) == ()
    assert value_ticks(ZoneValue(group, chosen=("Blue", "Red"))) == (Rect(56, 300, 11, 11), Rect(56, 320, 11, 11))
    assert value_dots(ZoneValue(group, chosen=("Blue",))) == ()


def test_a_dot_fills_the_round_button_of_the_chosen_option_and_leaves_ink_nowhere_else() -> None:
    mark = ZoneValue(zone(ZoneType.RADIO, options=COLOURS), chosen=("Green",))
    assert value_dots(mark) == (Rect(156, 300, 11, 11),)
    assert value_ticks(mark) == ()
    drawn = ink(mark)
    assert within(drawn, Rect(156, 300, 11, 11))
    assert drawn.x + drawn.w / 2 == pytest.approx(161.5, abs=0.6)
    assert drawn.y + drawn.h / 2 == pytest.approx(305.5, abs=0.6)


def test_ticks_of_several_options_leave_ink_in_their_boxes() -> None:
    drawn = ink(ZoneValue(zone(ZoneType.CHECKBOX, options=COLOURS), chosen=("Red", "Blue")))
    assert within(drawn, Rect(56, 300, 11, 31))
    assert drawn.h > 25


@pytest.mark.poppler
def test_values_of_every_type_are_text_that_can_be_found() -> None:
    marks = [
        ZoneValue(zone(kind, Rect(56, 120 + 80 * at, 300, 30)), text=f"value-{kind.value}")
        for at, kind in enumerate(BOXES)
    ]
    pdf = stamp(body(), marks)
    check(pdf)
    assert [kind for kind in BOXES if f"value-{kind.value}" not in text_of(pdf)] == []


@given(value=st.text(st.characters(codec="latin-1", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=300))
@pytest.mark.parametrize("type", list(BOXES))
def test_no_character_of_a_value_is_lost(type: ZoneType, value: str) -> None:
    shown = "".join(text.text for text in texts(type, value))
    assert shown.split() == prepare_line(value).split()

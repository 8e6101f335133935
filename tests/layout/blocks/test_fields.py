"""Inputs, rows and signature blocks in letters ten points wide, lines of ten points. Specification 2.7, 2.8, 2.12."""

from itertools import combinations

import pytest

from layout.blocks.block import Nothing, Whole
from layout.blocks.controls import DropDown, EntryBox, Option, Options, Underline
from layout.blocks.fields import CheckboxField, Control, FieldBlock, FieldRow, Input, LabelledField
from layout.blocks.signature_block import SignatureBlock
from layout.blocks.spacer import Spacer
from layout.frames import Frame, Outline, Ring, Role, Rule, Stroke, Text, UnplacedZone
from layout.geometry import Rect
from layout.zone import ZoneType
from tests.layout.even_fonts import EVEN, TEN, fit, items_of, placed, texts_of, whole

PATH = "/blocks/0"
UNDERLINED = [ZoneType.TEXT, ZoneType.DATE, ZoneType.NUMBER, ZoneType.EMAIL, ZoneType.AU_MOBILE]


def entry(label: str = "Label", *, required: bool = False) -> Input:
    return Input("name", label, "client", required=required, placeholder=None)


def labelled(control: Control, label: str = "Label", *, required: bool = False) -> LabelledField:
    return LabelledField(PATH, entry(label, required=required), TEN, control)


def chosen(type_: ZoneType, *texts: str) -> LabelledField:
    return labelled(Options(type_, tuple(Option(text, text) for text in texts), TEN))


def dropdown(*texts: str) -> DropDown:
    return DropDown(tuple(Option(text, text) for text in texts))


def zone(frame: Frame) -> UnplacedZone:
    (found,) = items_of(frame, UnplacedZone)
    return found


@pytest.mark.parametrize("type_", UNDERLINED)
def test_a_line_of_text_is_underlined_over_the_whole_width(type_: ZoneType) -> None:
    frame = labelled(Underline(type_)).frame(300, EVEN)
    assert (zone(frame).type, zone(frame).rect) == (type_, Rect(0, 13, 300, 21.4))  # 3 below a label of 10
    (rule,) = items_of(frame, Rule)
    assert (rule.x, rule.w, rule.y) == (0, 300, pytest.approx(34.7))
    assert frame.height == pytest.approx(35)


@pytest.mark.parametrize(("type_", "size"), [(ZoneType.MULTILINE_TEXT, (300, 72)), (ZoneType.INITIALS, (72, 36))])
def test_several_lines_have_a_tall_box_and_initials_a_small_one(type_: ZoneType, size: tuple[float, float]) -> None:
    frame = labelled(EntryBox(type_)).frame(300, EVEN)
    assert (zone(frame).type, zone(frame).rect) == (type_, Rect(0, 13, *size))
    assert items_of(frame, Outline)


def test_a_dropdown_is_a_box_with_an_arrow_at_its_right() -> None:
    frame = labelled(dropdown("Red", "Blue")).frame(300, EVEN)
    assert (zone(frame).type, zone(frame).rect) == (ZoneType.DROPDOWN, Rect(0, 13, 300, 22))
    (arrow,) = items_of(frame, Stroke)
    assert arrow.points == ((283, 22), (287, 26), (291, 22))  # its middle 13 from the right, half-way up
    assert [choice.text for choice in zone(frame).options] == ["Red", "Blue"]
    assert texts_of(frame) == ["Label"]


def test_a_dropdown_is_as_tall_as_its_longest_option_needs() -> None:
    frame = labelled(dropdown("a", "seven of seventy")).frame(150, EVEN)  # 126 of 150 are left beside the arrow
    assert zone(frame).rect.h == pytest.approx(22 + 12.6 - 1.4)  # two lines of 12.6 in a box with 8 around them


@pytest.mark.parametrize(
    "control",
    [Underline(ZoneType.TEXT), EntryBox(ZoneType.MULTILINE_TEXT), EntryBox(ZoneType.INITIALS), dropdown("a", "b")],
)
def test_the_line_of_a_box_lies_within_its_zone(control: Control) -> None:
    frame = labelled(control).frame(300, EVEN)
    for item in items_of(frame, Outline):
        rect, area, half = item.rect, zone(frame).rect, item.thickness / 2
        assert (rect.x - half, rect.y - half) == (pytest.approx(area.x), pytest.approx(area.y))
        assert (rect.right + half, rect.bottom + half) == (pytest.approx(area.right), pytest.approx(area.bottom))


def test_tick_boxes_stand_below_one_another() -> None:
    frame = chosen(ZoneType.CHECKBOX, "one", "two").frame(300, EVEN)
    assert [(at.x, at.y, at.frame.role, at.frame.path) for at in placed(frame)] == [
        (0, 14, Role.OPTION, "/blocks/0/options/0"),  # 4 below a label of 10
        (0, 30, Role.OPTION, "/blocks/0/options/1"),  # a box of 12 with its line, and 4 between
    ]
    assert [(choice.text, choice.rect) for choice in zone(frame).options] == [
        ("one", Rect(0.5, 14.5, 11, 11)),
        ("two", Rect(0.5, 30.5, 11, 11)),
    ]
    assert zone(frame).rect == Rect(0, 14, 300, 28)


def test_a_long_option_wraps_beside_its_box() -> None:
    frame = chosen(ZoneType.CHECKBOX, "one two", "six").frame(69, EVEN)  # 19 for the box, 50 for five letters
    first, second = placed(frame)
    assert [(item.text, item.x) for item in items_of(first.frame, Text)] == [("one ", 19), ("two", 19)]
    assert second.y == first.y + 20 + 4


def test_round_buttons_are_packed_left_to_right_and_wrapped() -> None:
    frame = chosen(ZoneType.RADIO, "one", "four", "seventeen", "x").frame(200, EVEN)
    assert [(at.x, at.y) for at in placed(frame)] == [
        (0, 14),
        (73, 14),  # 19 + 30, and 24 between; ends at 73 + 19 + 40 = 132
        (0, 30),  # 19 + 90 would end at 265
        (133, 30),  # 109 + 24; ends at 162
    ]
    assert all(isinstance(at.frame.items[0], Ring) for at in placed(frame))


def test_an_option_that_ends_at_the_edge_stays_on_its_row() -> None:
    def rows(width: float) -> list[float]:
        return [at.y for at in placed(chosen(ZoneType.RADIO, "one", "two").frame(width, EVEN))]

    assert rows(122) == [14, 14]  # 49 + 24 + 49
    assert rows(121.9) == [14, 30]


def test_an_option_wider_than_the_line_has_rows_to_itself() -> None:
    frame = chosen(ZoneType.RADIO, "a", "one two", "b").frame(69, EVEN)
    assert [(at.x, at.y, at.frame.height) for at in placed(frame)] == [(0, 14, 12), (0, 30, 20), (0, 54, 12)]


def test_options_are_no_part_of_what_cannot_be_split() -> None:
    block = chosen(ZoneType.CHECKBOX, *map(str, range(20)))
    height = block.frame(300, EVEN).height
    assert height == 10 + 4 + 20 * 12 + 19 * 4
    assert isinstance(fit(block, height, 300), Whole)
    assert isinstance(fit(block, height - 1, 300), Nothing)


def test_the_mark_of_a_required_input_is_never_alone_on_a_line() -> None:
    frame = labelled(EntryBox(ZoneType.MULTILINE_TEXT), "one two", required=True).frame(
        70, EVEN
    )  # seven letters; with the mark it would be nine
    assert texts_of(frame) == ["one ", "two *"]


def test_a_long_label_wraps_above_its_input() -> None:
    frame = labelled(Underline(ZoneType.TEXT), "one two").frame(50, EVEN)
    assert texts_of(frame) == ["one ", "two"]
    assert zone(frame).rect.y == 23


def row(*fields: FieldBlock) -> FieldRow:
    return FieldRow(PATH, fields)


@pytest.mark.parametrize(
    ("count", "columns"),
    [(2, [(0, 231.5), (251.5, 231.5)]), (3, [(0, 443 / 3), (503 / 3, 443 / 3), (1006 / 3, 443 / 3)])],
)
def test_a_row_has_equal_columns_with_a_gutter_of_20(count: int, columns: list[tuple[float, float]]) -> None:
    frame = whole(row(*[labelled(Underline(ZoneType.TEXT))] * count), 483)
    assert [(at.x, at.frame.width) for at in placed(frame)] == [pytest.approx(column) for column in columns]
    assert frame.role is Role.ROW


def test_the_labels_of_a_row_end_on_one_line_and_a_tick_box_stands_at_the_bottom() -> None:
    frame = whole(
        row(
            labelled(Underline(ZoneType.TEXT)),
            labelled(EntryBox(ZoneType.MULTILINE_TEXT)),
            CheckboxField(PATH, entry(), TEN),
        ),
        483,
    )
    assert [(at.y, at.frame.height) for at in placed(frame)] == [(0, 85)] * 3  # 10 + 3 + 72
    assert frame.height == 85
    labels = [text.y for at in placed(frame) for text in items_of(at.frame, Text)]
    assert labels[:2] == [8, 8]
    _, box, tick = (zone(at.frame).rect for at in placed(frame))
    assert (box.bottom, tick.bottom) == (85, 85)


def test_an_underline_and_a_dropdown_in_a_row_have_level_labels() -> None:
    frame = whole(row(labelled(Underline(ZoneType.TEXT)), labelled(dropdown("a", "b"))), 483)
    labels = [text.y for at in placed(frame) for text in items_of(at.frame, Text)]
    assert labels == [pytest.approx(8), pytest.approx(8)]


def test_a_label_that_wraps_lowers_the_inputs_beside_it() -> None:
    frame = whole(
        row(labelled(Underline(ZoneType.TEXT), "one two"), labelled(Underline(ZoneType.TEXT))), 120
    )  # 50 each
    assert [zone(at.frame).rect.y for at in placed(frame)] == [23, pytest.approx(23)]
    assert [[text.y for text in items_of(at.frame, Text)] for at in placed(frame)] == [
        [8, 18],
        [pytest.approx(18)],
    ]


def test_a_row_is_never_split() -> None:
    block = row(labelled(EntryBox(ZoneType.MULTILINE_TEXT)), labelled(EntryBox(ZoneType.MULTILINE_TEXT)))
    height = whole(block, 483).height
    assert isinstance(fit(block, height - 1, 483), Nothing)
    assert isinstance(fit(block, height, 483), Whole)


def test_a_required_input_has_an_asterisk_that_is_no_part_of_its_zone() -> None:
    for field in (labelled(Underline(ZoneType.TEXT), required=True), CheckboxField(PATH, entry(required=True), TEN)):
        frame = field.frame(300, EVEN)
        assert (texts_of(frame), zone(frame).label) == (["Label *"], "Label")


def test_a_tick_box_has_its_label_beside_it() -> None:
    frame = whole(CheckboxField(PATH, entry("one two"), TEN), width=69)  # 19 for the box, 50 for the label: 5 letters
    (box,) = (item.rect for item in items_of(frame, Outline))
    assert (zone(frame).type, zone(frame).rect, zone(frame).options) == (ZoneType.CHECKBOX, box, ())
    assert [(line.text, line.x, line.y) for line in items_of(frame, Text)] == [("one ", 19, 8), ("two", 19, 18)]
    assert box.right < 19
    assert frame.height == 20


SIGNATURE = SignatureBlock(PATH, "signature:0", "Client", "client", TEN)


def test_a_signature_block_has_a_line_a_caption_and_a_zone_apart_for_each_entry() -> None:
    frame = whole(SIGNATURE, width=483)
    zones = {item.type: item for item in items_of(frame, UnplacedZone)}
    assert texts_of(frame) == ["Client", "Name", "Date signed", "Signature"]
    assert {type_: zone.name for type_, zone in zones.items()} == {
        ZoneType.SIGNER_NAME: "signature:0:name",
        ZoneType.DATE_SIGNED: "signature:0:date",
        ZoneType.SIGNATURE: "signature:0:signature",
    }
    lines = [(rule.x, rule.y, rule.w) for rule in items_of(frame, Rule)]
    rects = [zone.rect for zone in zones.values()]
    assert all((rect.x, rect.bottom, rect.w) in lines for rect in rects)
    for one, other in combinations(rects, 2):
        assert one.right < other.x or other.right < one.x or one.bottom < other.y or other.bottom < one.y


def test_a_signature_block_is_never_split_and_a_spacer_takes_what_room_there_is() -> None:
    height = whole(SIGNATURE, width=300).height
    assert isinstance(fit(SIGNATURE, height - 1, 300), Nothing)
    assert isinstance(fit(SIGNATURE, height, 300), Whole)
    assert [whole(Spacer(PATH, 40), height=height).height for height in (100, 15)] == [40, 15]

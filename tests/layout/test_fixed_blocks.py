"""Blocks that are never split: headings, inputs, signature blocks; and spacers, which always fit."""

import pytest

from layout.blocks.block import Block, Nothing, Whole
from layout.blocks.controls import Underline
from layout.blocks.fields import CheckboxField, Input, LabelledField
from layout.blocks.image_and_spacer import Spacer
from layout.blocks.signature_block import SignatureBlock
from layout.blocks.text_blocks import Heading
from layout.paging.frames import Frame, Outline, Rule, Text, UnplacedZone
from layout.paging.geometry import Rect, Region
from layout.zones.zone import ZoneType
from tests.layout.even_fonts import EVEN, TEN

PATH = "/blocks/0"


def entry(label: str = "Company", *, required: bool = False) -> Input:
    return Input(name="company", label=label, recipient="client", required=required, placeholder=None)


def whole(block: Block, width: float = 300, height: float = 600) -> Frame:
    fit = block.fit(Region(width, height), EVEN)
    assert isinstance(fit, Whole)
    return fit.frame


def texts(frame: Frame) -> list[Text]:
    return [item for item in frame.items if isinstance(item, Text)]


def slots(frame: Frame) -> dict[ZoneType, UnplacedZone]:
    return {item.type: item for item in frame.items if isinstance(item, UnplacedZone)}


def rules(frame: Frame) -> list[Rule]:
    return [item for item in frame.items if isinstance(item, Rule)]


def test_a_heading_is_whole_or_not_there() -> None:
    heading = Heading(PATH, "one two", TEN)
    assert whole(heading, width=30).height == 20  # two lines of 10
    assert isinstance(heading.fit(Region(30, 19), EVEN), Nothing)


def test_a_heading_keeps_with_what_follows() -> None:
    assert Heading(PATH, "one", TEN).keeps_with_next


def test_a_text_field_is_its_label_above_an_underline() -> None:
    frame = whole(LabelledField(PATH, entry(), TEN, Underline(ZoneType.TEXT)))
    assert [(label.text, label.y) for label in texts(frame)] == [("Company", 8)]
    assert slots(frame)[ZoneType.TEXT].rect == Rect(0, 13, 300, 21.4)  # 3 below a label of 10
    assert [(rule.x, rule.y, rule.w) for rule in rules(frame)] == [
        (0, pytest.approx(34.7), 300)
    ]  # 13 + 21.4, and half its 0.6


def test_a_required_input_has_an_asterisk_after_its_label() -> None:
    assert texts(whole(LabelledField(PATH, entry(required=True), TEN, Underline(ZoneType.TEXT))))[0].text == "Company *"
    assert texts(whole(CheckboxField(PATH, entry(required=True), TEN)))[0].text == "Company *"


def test_the_asterisk_is_no_part_of_the_label_of_a_zone() -> None:
    assert (
        slots(whole(LabelledField(PATH, entry(required=True), TEN, Underline(ZoneType.TEXT))))[ZoneType.TEXT].label
        == "Company"
    )


def test_a_tick_box_has_its_label_beside_it() -> None:
    frame = whole(CheckboxField(PATH, entry("one two"), TEN), width=69)  # 19 for the box, 50 for the label: 5 letters
    (box,) = (item.rect for item in frame.items if isinstance(item, Outline))
    assert slots(frame)[ZoneType.CHECKBOX].rect == box
    assert [(line.text, line.x, line.y) for line in texts(frame)] == [("one ", 19, 8), ("two", 19, 18)]
    assert box.right < 19
    assert frame.height == 20


def test_a_signature_block_has_a_line_and_a_caption_for_each_entry() -> None:
    frame = whole(SignatureBlock(PATH, "signature:0", "Client", "client", TEN), width=483)
    assert [text.text for text in texts(frame)] == ["Client", "Name", "Date signed", "Signature"]
    for type_ in (ZoneType.SIGNER_NAME, ZoneType.DATE_SIGNED, ZoneType.SIGNATURE):
        rect = slots(frame)[type_].rect
        assert (rect.x, rect.bottom, rect.w) in [(rule.x, rule.y, rule.w) for rule in rules(frame)]


def test_the_zones_of_a_signature_block_are_named_for_their_parts() -> None:
    found = slots(whole(SignatureBlock(PATH, "signature:0", "Client", "client", TEN), width=483))
    assert {type_: zone.name for type_, zone in found.items()} == {
        ZoneType.SIGNER_NAME: "signature:0:name",
        ZoneType.DATE_SIGNED: "signature:0:date",
        ZoneType.SIGNATURE: "signature:0:signature",
    }


def test_the_entries_of_a_signature_block_lie_apart() -> None:
    found = [zone.rect for zone in slots(whole(SignatureBlock(PATH, "s:0", "Client", "c", TEN), width=483)).values()]
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            assert one.right < other.x or other.right < one.x or one.bottom < other.y or other.bottom < one.y


def test_a_signature_block_is_never_split() -> None:
    block = SignatureBlock(PATH, "signature:0", "Client", "client", TEN)
    height = whole(block).height
    assert isinstance(block.fit(Region(300, height - 1), EVEN), Nothing)
    assert isinstance(block.fit(Region(300, height), EVEN), Whole)


def test_a_spacer_takes_what_room_there_is() -> None:
    assert whole(Spacer(PATH, 40), height=100).height == 40
    assert whole(Spacer(PATH, 40), height=15).height == 15

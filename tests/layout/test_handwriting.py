"""Typed names as pictures: in a hand that has their letters, the same each time, nothing cut off."""

from io import BytesIO

import pytest
from PIL import Image, ImageStat

from layout.handwriting.typed_signature import HandStyle, render_typed_signature
from layout.theme_styles import PEN_COLOUR


def opened(text: str) -> Image.Image:
    png = render_typed_signature(text)
    assert png is not None
    return Image.open(BytesIO(png)).convert("RGBA")


@pytest.mark.parametrize(
    "name", ["Ada Lovelace", "Matilda Nguyễn", "Łukasz Wiśniewski", "Владимир Путько", "Ελένη", "محمد علي", "田中 太郎"]
)
def test_a_name_of_any_script_becomes_ink_on_nothing_cropped_to_the_ink(name: str) -> None:
    picture = opened(name)
    solid = picture.getchannel("A").point(lambda opacity: 255 if opacity == 255 else 0)
    assert ImageStat.Stat(picture.convert("RGB"), solid).extrema == [(round(255 * part),) * 2 for part in PEN_COLOUR]
    assert picture.getchannel("A").getbbox() == (0, 0, picture.width, picture.height)
    assert picture.width > picture.height / 2


def test_the_same_name_is_the_same_picture() -> None:
    assert render_typed_signature("Ada Lovelace") == render_typed_signature("Ada Lovelace")
    assert render_typed_signature("田中") == render_typed_signature("田中")


def test_names_of_scripts_with_a_hand_differ_from_the_letters_of_the_text() -> None:
    assert opened("Иван").height != opened("Ἰβάν").height


@pytest.mark.parametrize("name", ["أحمد الشريف", "فاطمة", "王小明"])
def test_arabic_and_chinese_names_have_a_hand_of_their_own(name: str) -> None:
    written = render_typed_signature(name, HandStyle.FLOWING)
    assert written == render_typed_signature(name, HandStyle.CASUAL)
    assert written != render_typed_signature(name, HandStyle.PLAIN)


def test_arabic_letters_are_joined_and_run_from_right_to_left() -> None:
    joined, apart = opened("بب"), opened("ب ب")
    assert joined.width < apart.width
    dots = joined.getchannel("A").crop((0, joined.height * 3 // 4, joined.width, joined.height))
    assert dots.getbbox() is not None
    first_is_tall = opened("اب").getchannel("A")
    right, left = (
        first_is_tall.crop(box)
        for box in ((first_is_tall.width // 2, 0, first_is_tall.width, 40), (0, 0, first_is_tall.width // 2, 40))
    )
    assert right.getbbox() is not None
    assert left.getbbox() is None


def test_arabic_names_with_digits_are_set_by_the_engine() -> None:
    assert render_typed_signature("محمد ٣", HandStyle.FLOWING) == render_typed_signature("محمد ٣", HandStyle.PLAIN)


def test_a_longer_name_is_wider_and_no_taller_than_its_letters() -> None:
    short, long = opened("nnn"), opened("nnnnnn")
    assert long.height == short.height
    assert 1.8 < long.width / short.width < 2.2


def test_a_style_has_its_own_hand_or_that_of_another_which_has_the_letters() -> None:
    assert len({render_typed_signature("Ada Lovelace", style) for style in HandStyle}) == len(HandStyle)
    assert render_typed_signature("Иван", HandStyle.FLOWING) == render_typed_signature("Иван", HandStyle.CASUAL)


@pytest.mark.parametrize("text", ["", "   ", "\u200d"])
def test_what_leaves_no_mark_is_no_picture(text: str) -> None:
    assert render_typed_signature(text) is None

"""The longest that is taken, in the scripts of the world: within its zone, whole, and readable or refused."""

import pytest

from layout.engine import ZoneValue, fitting_length
from layout.geometry import Rect
from layout.text.bidi import isolated, levels_of
from layout.text.fonts import ShippedFonts
from layout.zone import ZoneType
from layout.zones.value_layout import READABLE, value_texts
from tests.layout.zones.filled import ink, within, zone

FONTS = ShippedFonts()
SESSION = "0b7c7a52-9a5e-4c1d-9b0e-2f4d6a8c1e3f"
NAMES = {
    "Latin": "Wolfeschlegelsteinhausenbergerdorff " * 3,
    "one word": "Wolfeschlegelsteinhausenbergerdorff" * 3,
    "capitals": "WWWWMMMM " * 12,
    "Cyrillic": "Константин Константинович Ярославский " * 3,
    "Greek": "Παπαδημητρόπουλος Χαράλαμπος " * 4,
    "Arabic": "محمد عبد الرحمن بن خالد آل سعود " * 4,
    "Hebrew": "ישראל בן־גוריון ישראלי " * 5,
    "Hindi": "श्रीमती लक्ष्मी नारायण त्रिपाठी " * 4,
    "Thai": "สมชายพงษ์ประเสริฐ" * 6,
    "Chinese": "欧阳修司马光诸葛亮上官婉儿" * 8,
    "Japanese": "山田太郎左衛門尉藤原朝臣" * 9,
    "Korean": "남궁민수 황보인영 " * 12,
    "Vietnamese": "Đặng Thị Nguyễn Bảo Ngọc " * 4,
}
LONGEST = {script: name[:100].strip() for script, name in NAMES.items()}
EMAIL = f"{'a' * 64}@{'.'.join(['b' * 61] * 3)}.ex"
PLACES = {
    ZoneType.SIGNER_NAME: Rect(340, 300, 199, 20),
    ZoneType.SIGNATURE: Rect(56, 300, 255, 46),
    ZoneType.TEXT: Rect(56, 300, 483, 20),
}


@pytest.mark.parametrize("script", LONGEST)
@pytest.mark.parametrize("type", PLACES)
def test_a_name_of_a_hundred_characters_is_drawn_within_its_zone(type: ZoneType, script: str) -> None:
    assert within(ink(ZoneValue(zone(type, PLACES[type]), text=LONGEST[script])), PLACES[type])


@pytest.mark.parametrize("script", LONGEST)
def test_a_name_of_a_hundred_characters_can_still_be_made_out(script: str) -> None:
    name = ZoneValue(zone(ZoneType.SIGNER_NAME, PLACES[ZoneType.SIGNER_NAME]), text=LONGEST[script])
    assert min(text.style.size for text in value_texts(name, FONTS)) >= 4.5


@pytest.mark.parametrize("script", LONGEST)
def test_small_print_with_the_longest_name_stays_below_its_line_and_above_what_follows(script: str) -> None:
    small_print = f"{isolated(LONGEST[script])} · 2026-11-21T12:00:00.000Z · {SESSION}"
    place = PLACES[ZoneType.SIGNATURE]
    drawn = ink(ZoneValue(zone(ZoneType.SIGNATURE, place), text="x", small_print=small_print))
    assert within(drawn, Rect(place.x, place.y, place.w, place.h + 27))


@pytest.mark.parametrize("script", LONGEST)
def test_time_and_session_read_from_left_to_right_after_names_of_every_script(script: str) -> None:
    ours = f" · 2026-11-21T12:00:00.000Z · {SESSION}"
    line, levels = levels_of(isolated(LONGEST[script]) + ours)
    assert line == 0
    assert set(levels[-len(ours) :]) == {0}


def test_a_name_from_left_to_right_stays_as_it_is() -> None:
    assert isolated("Ada Lovelace") == "Ada Lovelace"


@pytest.mark.parametrize(
    ("type", "rect", "value"),
    [
        (ZoneType.TEXT, Rect(56, 300, 483, 20), "Three hundred characters in a single line, " * 7),
        (ZoneType.EMAIL, Rect(56, 300, 483, 20), EMAIL),
        (ZoneType.MULTILINE_TEXT, Rect(56, 300, 483, 72), "It was agreed that the works be done. " * 30),
        (ZoneType.MULTILINE_TEXT, Rect(56, 300, 483, 72), "Donaudampfschifffahrtsgesellschaft" * 12),
    ],
)
def test_long_values_that_are_taken_are_drawn_whole_in_letters_that_can_be_read(
    type: ZoneType, rect: Rect, value: str
) -> None:
    written = zone(type, rect)
    assert fitting_length(value, written) is None
    texts = list(value_texts(ZoneValue(written, text=value), FONTS))
    assert min(text.style.size for text in texts) >= READABLE
    assert "".join(text.text for text in texts).split() == value.split() or "".join(
        text.text.replace(" ", "") for text in texts
    ) == value.replace(" ", "")


def test_two_thousand_characters_are_refused_where_they_would_be_too_small_to_read() -> None:
    box = zone(ZoneType.MULTILINE_TEXT, Rect(56, 300, 483, 72))
    room = fitting_length("It was agreed that the works be done. " * 52, box)
    assert room is not None
    assert room > 1_000

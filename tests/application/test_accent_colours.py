"""Accent colours that are readable on light and dark pages."""

import pytest

from application.accent_colours import Shades, accent_colours
from layout.checks.find_warnings import TEXT, contrast
from layout.theme_styles import colour

LIGHT_GROUNDS, DARK_GROUNDS = ("#ffffff", "#f3f2ee"), ("#1b2124", "#121618", "#1a2222")
ANY = ("#000000", "#ffffff", "#ffd400", "#c2410c", "#0d665f", "#7f7f7f", "#0000ff", "#00ff00", "#ff00ff", "#123456")


def least(shades: Shades, grounds: tuple[str, ...]) -> float:
    accent = colour(shades.accent)
    behind = [contrast(accent, colour(ground)) for ground in (*grounds, shades.tint)]
    return min(*behind, *(contrast(colour(shades.on_fill), colour(fill)) for fill in (shades.fill, shades.fill_deep)))


@pytest.mark.parametrize("accent", ANY)
def test_text_in_any_colour_and_on_it_can_be_read(accent: str) -> None:
    light, dark = accent_colours(accent)
    assert least(light, LIGHT_GROUNDS) >= TEXT
    assert least(dark, DARK_GROUNDS) >= TEXT


def test_a_readable_colour_stays_as_it_is() -> None:
    assert accent_colours("#c2410c").light.accent == "#c2410c"
    assert accent_colours("#ffd400").dark.accent == "#ffd400"
    assert accent_colours("#ffd400").light.accent != "#ffd400"


def test_buttons_on_light_pages_keep_a_bright_colour_and_have_dark_text() -> None:
    light = accent_colours("#ffd400").light
    assert (light.fill, light.on_fill) == ("#ffd400", "#0b1214")
    light = accent_colours("#c2410c").light
    assert (light.fill, light.on_fill) == ("#c2410c", "#ffffff")

"""The colours that are derived from an organisation's accent colour, for light and for dark pages.

A colour that is hard to read is darkened or lightened until text in it has a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3) on
every background of the pages and emails. Buttons on light pages keep a bright colour, and have dark text.
"""

from functools import lru_cache
from typing import NamedTuple

from layout.checks.find_warnings import TEXT, contrast
from layout.theme_styles import WHITE, Colour, colour, to_hex

_BLACK: Colour = (0.0, 0.0, 0.0)
_LIGHT_GROUNDS = (WHITE, colour("#f3f2ee"))
_DARK_GROUNDS = (colour("#1b2124"), colour("#121618"), colour("#1a2222"))
_DARK_INK = colour("#0b1214")

_STEP = 0.02
"""The share of black or white that is added at each step, until the contrast suffices."""


class Shades(NamedTuple):
    """Colours of one scheme as `#rrggbb`: links, buttons and the text on them, and grounds of fields.

    The deep colours are those of links and buttons under the pointer.
    """

    accent: str
    accent_deep: str
    fill: str
    fill_deep: str
    on_fill: str
    tint: str
    tint_edge: str


class AccentColours(NamedTuple):
    light: Shades
    dark: Shades


@lru_cache(maxsize=256)
def accent_colours(accent: str) -> AccentColours:
    """Returns the colours for `accent` (`#rrggbb`)."""
    chosen = colour(accent)
    light = _readable(chosen, _BLACK, _LIGHT_GROUNDS, (WHITE, 0.07))
    dark = _readable(chosen, WHITE, _DARK_GROUNDS, (_DARK_GROUNDS[0], 0.1))
    deep = _mix(light, _BLACK, 0.25)
    fill, fill_deep, on_fill = light, deep, WHITE
    if light != chosen and contrast(chosen, _DARK_INK) >= TEXT:
        fill, fill_deep, on_fill = chosen, _mix(chosen, WHITE, 0.25), _DARK_INK
    brighter = _mix(dark, WHITE, 0.25)
    return AccentColours(
        Shades(
            to_hex(light),
            to_hex(deep),
            to_hex(fill),
            to_hex(fill_deep),
            to_hex(on_fill),
            to_hex(_mix(WHITE, light, 0.07)),
            to_hex(_mix(WHITE, light, 0.3)),
        ),
        Shades(
            to_hex(dark),
            to_hex(brighter),
            to_hex(dark),
            to_hex(brighter),
            to_hex(_DARK_INK),
            to_hex(_mix(_DARK_GROUNDS[0], dark, 0.1)),
            to_hex(_mix(_DARK_GROUNDS[0], dark, 0.3)),
        ),
    )


def _readable(chosen: Colour, towards: Colour, grounds: tuple[Colour, ...], tint: tuple[Colour, float]) -> Colour:
    """Returns `chosen`, mixed with as little of `towards` as makes it readable on `grounds` and on its own tint."""
    share = 0.0
    while True:
        mixed = _mix(chosen, towards, share)
        if all(contrast(mixed, ground) >= TEXT for ground in (*grounds, _mix(tint[0], mixed, tint[1]))):
            return mixed
        share += _STEP


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    """Returns `one` with that share of `other`, rounded to 8 bits per channel."""
    share = min(share, 1.0)
    red, green, blue = (round(255 * (a + (b - a) * share)) / 255 for a, b in zip(one, other, strict=True))
    return red, green, blue

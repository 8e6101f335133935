"""The font of the pages in emails: embedded in the HTML part, so that a mail program loads nothing to show it."""

from base64 import b64encode
from functools import lru_cache

from layout.text.characters import plain_characters
from layout.text.web_font import WEB_WEIGHTS, web_font

_FEATURES: tuple[str, ...] = ()  # kerning would double the size of a mail
_ASCII = frozenset(range(0x20, 0x7F))


def font_style(text: str) -> str:
    """Returns a `style` element with the font `Undersign`, reduced to ASCII and the plain characters of `text`.

    Plain characters need no shaping. A mail program uses its own font for others, and for all of them if it ignores
    embedded fonts.
    """
    return _style_with(_ASCII | (frozenset(map(ord, text)) & plain_characters()))


@lru_cache(maxsize=32)
def _style_with(characters: frozenset[int]) -> str:
    rules = (
        f"@font-face{{font-family:Undersign;font-weight:{weight};"
        f"src:url(data:font/ttf;base64,{b64encode(web_font(face, characters, _FEATURES)).decode()})}}"
        for face, weight in WEB_WEIGHTS.items()
    )
    return f"<style>{''.join(rules)}</style>\n"

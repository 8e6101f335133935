"""The fonts of the pages: those of the documents, subset to Latin, Greek and Cyrillic."""

from collections.abc import Callable, Mapping

from layout.text.fonts import Face
from layout.text.web_font import WEB_WEIGHTS, web_font

_RANGES = (
    (0x20, 0x7E), (0xA0, 0x17F), (0x218, 0x21B), (0x370, 0x3FF), (0x400, 0x45F), (0x490, 0x491), (0x1EA0, 0x1EF9),
    (0x2010, 0x2026), (0x2030, 0x203A), (0x20AC, 0x20AC), (0x2122, 0x2122), (0x2190, 0x2193), (0x2212, 0x2212),
    (0x2713, 0x2713),
)  # fmt: skip
"""First and last code points of the characters. Browsers show other characters in a font of the device."""

_FEATURES = ("ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum")
_FILES: Mapping[str, Face] = {"regular.ttf": Face.REGULAR, "bold.ttf": Face.BOLD}


def font_files() -> Mapping[str, bytes]:
    """Returns the TrueType files by their names."""
    characters = frozenset(code for first, last in _RANGES for code in range(first, last + 1))
    return {name: web_font(face, characters, _FEATURES) for name, face in _FILES.items()}


def font_css(url: Callable[[str], str]) -> bytes:
    """Returns the CSS that declares the family `Undersign`. `url` returns the address of a font by its name.

    A browser that has not loaded the fonts in time uses a font of the device for this page (`font-display: optional`).
    A later change of the font would move the button that a reader is about to press.
    """
    ranges = ", ".join(f"U+{first:X}-{last:X}" for first, last in _RANGES)
    rules = (
        f'@font-face {{ font-family: "Undersign"; font-weight: {WEB_WEIGHTS[face]}; font-display: optional; '
        f"src: url({url(name)}); unicode-range: {ranges}; }}\n"
        for name, face in _FILES.items()
    )
    return "".join(rules).encode()

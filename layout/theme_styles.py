"""Themes: colours and text styles of a document. Specification 2.6."""

from dataclasses import dataclass
from typing import Literal

from layout.schema import block_document as written
from layout.text.fonts import Face, TextStyle

Colour = tuple[float, float, float]


def colour(hex: str) -> Colour:
    """Parses a colour of the form `#rrggbb`."""
    red, green, blue = bytes.fromhex(hex.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def to_hex(colour: Colour) -> str:
    """Formats `colour` as `#rrggbb`."""
    return "#" + bytes(round(255 * part) for part in colour).hex()


TEAL = colour("#0f6a73")
INK = colour("#1f2328")
GREY = colour("#667078")
LIGHT_LINE = colour("#c3cbd0")
LINE = colour("#8b959c")
PEN_COLOUR = colour("#15306b")
WHITE = colour("#ffffff")

LEADING = 1.42
"""Leading of body text in multiples of its size."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Style of the header band, and the colours of a document. The defaults are those of the classic theme."""

    header_style: Literal["line", "band"] = "line"
    primary: Colour = TEAL
    accent: Colour = INK
    text: Colour = INK
    band_text: Colour = WHITE

    @property
    def is_band(self) -> bool:
        return self.header_style == "band"

    @property
    def title(self) -> TextStyle:
        return TextStyle(Face.BOLD, 22, 27, self.band_text if self.is_band else self.primary)

    @property
    def subtitle(self) -> TextStyle:
        return TextStyle(Face.REGULAR, 10.5, 15, self.band_text if self.is_band else GREY)

    @property
    def heading(self) -> TextStyle:
        return TextStyle(Face.BOLD, 13, 17, self.accent)

    def heading_at(self, level: int) -> TextStyle:
        """Returns the style of headings of a level; those of the first one are largest."""
        if level == 1:
            return self.heading
        size, leading = (11.5, 15.5) if level == 2 else (10.5, 14.5)  # a level
        return TextStyle(Face.BOLD, size, leading, self.accent)

    @property
    def label(self) -> TextStyle:
        return TextStyle(Face.REGULAR, 9.5, 13, self.text)

    @property
    def signer(self) -> TextStyle:
        return TextStyle(Face.BOLD, 10.5, 14, self.text)

    def body(self, size: float | None, *, bold: bool, muted: bool) -> TextStyle:
        """Returns the style of body text; `size` defaults to 10.5 points."""
        points = size or 10.5
        face = Face.BOLD if bold else Face.REGULAR
        return TextStyle(face, points, points * LEADING, GREY if muted else self.text)


def theme_of(chosen: written.Theme | None) -> Theme:
    """Returns the theme that a document chose. The accent colour defaults to the text colour."""
    if chosen is None:
        return Theme()
    text = colour(chosen.text_color) if chosen.text_color else INK
    return Theme(
        header_style=chosen.header_style,
        primary=colour(chosen.primary_color) if chosen.primary_color else TEAL,
        accent=colour(chosen.accent_color) if chosen.accent_color else text,
        text=text,
        band_text=colour(chosen.band_text_color) if chosen.band_text_color else WHITE,
    )


FOOTER = TextStyle(Face.REGULAR, 8, 11, GREY)
CAPTION = TextStyle(Face.REGULAR, 7.5, 10, GREY)
ENTRY = TextStyle(Face.REGULAR, 10.5, 12.6, PEN_COLOUR)
SIGNING_HAND = TextStyle(Face.ITALIC, 21, 25.2, PEN_COLOUR)
SIGNED_LINE = TextStyle(Face.REGULAR, 6.5, 8, GREY)
SMALL_PRINT = TextStyle(Face.REGULAR, 5.5, 6.6, GREY)

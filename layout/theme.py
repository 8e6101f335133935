"""How a document looks: colours, sizes and gaps of the classic look. Spec: 2.6 Theme.

Sizes follow one scale (8, 10.5, 13, 22) and gaps are multiples of two, so that pages look alike whatever they hold.
"""

from dataclasses import dataclass

from layout.fonts import Face, TextStyle

Colour = tuple[float, float, float]


def colour(hex: str) -> Colour:
    """A colour from `#rrggbb`."""
    red, green, blue = bytes.fromhex(hex.removeprefix("#"))
    return red / 255, green / 255, blue / 255


TEAL = colour("#0f6a73")
INK = colour("#1f2328")
GREY = colour("#667078")
HAIR = colour("#c3cbd0")
LINE = colour("#8b959c")
PEN = colour("#15306b")

LEADING = 1.42
"""Leading of running text in multiples of its size."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that a document may choose, with those of the classic look."""

    primary: Colour = TEAL
    accent: Colour = INK
    text: Colour = INK

    @property
    def title(self) -> TextStyle:
        return TextStyle(Face.BOLD, 22, 27, self.primary)

    @property
    def heading(self) -> TextStyle:
        return TextStyle(Face.BOLD, 13, 17, self.accent)

    @property
    def label(self) -> TextStyle:
        return TextStyle(Face.REGULAR, 9.5, 13, self.text)

    @property
    def signer(self) -> TextStyle:
        return TextStyle(Face.BOLD, 10.5, 14, self.text)

    def body(self, size: float | None, *, bold: bool, muted: bool) -> TextStyle:
        """Running text; 10.5 points unless told."""
        points = size or 10.5
        face = Face.BOLD if bold else Face.REGULAR
        return TextStyle(face, points, points * LEADING, GREY if muted else self.text)


SUBTITLE = TextStyle(Face.REGULAR, 10.5, 15, GREY)
FOOTER = TextStyle(Face.REGULAR, 8, 11, GREY)
CAPTION = TextStyle(Face.REGULAR, 7.5, 10, GREY)
ENTRY = TextStyle(Face.REGULAR, 10.5, 12.6, PEN)
SIGNING_HAND = TextStyle(Face.ITALIC, 21, 25.2, PEN)
SMALL_PRINT = TextStyle(Face.REGULAR, 5.5, 6.6, GREY)

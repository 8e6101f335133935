"""Frames: what a block looks like once everything about it is decided. The painter only draws them.

A frame's items are placed from its own top left corner; a page says where each frame stands.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from layout.paging.geometry import Rect
from layout.schema.image_file import ImageFile
from layout.schema.theme import Colour
from layout.text.characters import is_plain
from layout.text.fonts import Han, TextStyle
from layout.text.shaped_lines import Glyphs, LineShaper
from layout.zones.zone import ZoneType


class Role(Enum):
    """What a frame is to somebody who has the page read aloud. It becomes the frame's tag in the PDF."""

    TITLE = auto()  # the title in a header band
    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()  # holds nothing but items
    ITEM = auto()  # one entry of a list: its bullet as a LABEL frame, then its lines
    LABEL = auto()  # the bullet or number of an item
    FIGURE = auto()  # a picture, with `Frame.alternative` in words
    INPUT = auto()  # a label with what a recipient fills in; its options, if any, as OPTION frames
    OPTION = auto()  # a box to tick with its text
    ROW = auto()  # things side by side, such as inputs: holds nothing but their frames
    SIGNATURE = auto()  # a label, then one INPUT frame for each thing to fill in
    TABLE = auto()  # holds nothing but TABLE_ROW frames, and what decorates them
    TABLE_ROW = auto()  # holds nothing but cells
    COLUMN_HEAD = auto()  # the cell that says what stands in its column
    ROW_HEAD = auto()  # the cell that says what stands in its row
    CELL = auto()
    GAP = auto()
    ARTIFACT = auto()  # header band and footer: frames in them are read where they first appear, all else never


PROSE = (
    Role.PARAGRAPH, Role.HEADING, Role.TITLE, Role.LABEL, Role.COLUMN_HEAD, Role.ROW_HEAD, Role.CELL
)  # fmt: skip
"""Roles of frames that hold text and what decorates it, no frames and no slots. Their texts are the frame's own."""


class Text(NamedTuple):
    """One line of text, or a piece of one; `y` is its baseline, `width` what it measures. `link` is where it leads.

    `glyphs` is the text as it was shaped in its paragraph, if it had to be.
    """

    x: float
    y: float
    text: str
    width: float
    style: TextStyle
    link: str | None = None
    glyphs: Glyphs | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line whose middle is at `y`."""

    x: float
    y: float
    w: float
    thickness: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a rectangle."""

    rect: Rect
    thickness: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ring:
    """The circle inside a square."""

    rect: Rect
    thickness: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Stroke:
    """Straight lines from point to point."""

    points: tuple[tuple[float, float], ...]
    thickness: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Fill:
    """A rectangle of one colour."""

    rect: Rect
    colour: Colour


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that fills a rectangle."""

    rect: Rect
    file: ImageFile


@dataclass(frozen=True, slots=True)
class Pattern:
    """Equal squares that fill a rectangle, row by row; those that are true are of one colour, the others are bare."""

    rect: Rect
    rows: tuple[tuple[bool, ...], ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of an input, with the square of its box or round button; without a place if a list drops down."""

    text: str
    rect: Rect


@dataclass(frozen=True, slots=True)
class UnplacedZone:
    """Where a recipient fills in something: a zone that does not know its page yet. Nothing of it is drawn."""

    rect: Rect
    name: str
    type: ZoneType
    label: str
    recipient: str
    required: bool
    placeholder: str | None = None
    options: tuple[Choice, ...] = ()
    date_format: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """A block, or the part of one that stands on one page, with all its items. `path` is the block's JSON pointer.

    A part that is a thing of its own to a reader (an item of a list, an input in a row) is a frame in the frame, with a
    path of its own (`/blocks/3/items/0`). Parts of one path and role on several pages are read as one. `alternative`
    says in words what a figure shows.
    """

    width: float
    height: float
    role: Role
    path: str
    items: "tuple[Item, ...]" = ()
    alternative: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A frame on a page or in another frame, by its top left corner."""

    x: float
    y: float
    frame: Frame


Shape = Rule | Outline | Ring | Stroke | Fill | Image | Pattern
Item = Text | Shape | UnplacedZone | Placed


def frames_of(at: Placed) -> Iterator[Placed]:
    """`at` and all frames in it, in reading order, each where it stands on the page."""
    yield at
    if at.frame.role in PROSE:
        return
    for item in at.frame.items:
        if isinstance(item, Placed):
            yield from frames_of(Placed(at.x + item.x, at.y + item.y, item.frame))


def glyphs_of(text: Text) -> Glyphs | None:
    """The glyphs of `text`; None if it is plain. What nobody has shaped in a paragraph is shaped by itself."""
    if text.glyphs is not None or is_plain(text.text):
        return text.glyphs
    return LineShaper(text.style.face, Han.SIMPLIFIED).line(text.text).glyphs

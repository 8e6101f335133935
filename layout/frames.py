"""Frames: blocks that are laid out completely. Coordinates are relative to the top left corner of the frame.

They and their items are named tuples, which are created much faster than frozen dataclasses: a document has up to a
hundred thousand.
"""

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from layout.geometry import Rect
from layout.schema.image_file import ImageFile
from layout.text.characters import is_plain
from layout.text.fonts import Han, TextStyle
from layout.text.shaped_lines import Glyphs, line_shaper
from layout.theme_styles import Colour
from layout.zone import ZoneType


class Role(Enum):
    """Meaning of a frame for screen readers. It determines the frame's structure element in the PDF."""

    __hash__ = object.__hash__  # faster than that of an enum, by name

    TITLE = auto()  # the title in a header band
    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()  # holds ITEM frames only
    ITEM = auto()  # one item of a list: its bullet as a LABEL frame, then its lines
    LABEL = auto()  # the bullet or number of an item
    FIGURE = auto()  # an image, described by `Frame.alternative`
    INPUT = auto()  # a label with its zone; options, if any, as OPTION frames
    OPTION = auto()  # a tick box or radio button with its text
    ROW = auto()  # frames side by side, such as inputs
    SIGNATURE = auto()  # a signature block: a label and its zones
    TABLE = auto()  # holds TABLE_ROW frames and rules
    TABLE_ROW = auto()  # holds cells only
    COLUMN_HEAD = auto()  # heading cell of a column
    ROW_HEAD = auto()  # heading cell of a row
    CELL = auto()
    GAP = auto()  # space, with shapes that screen readers skip
    ARTIFACT = auto()  # header band or footer: frames are read aloud on their first page only, other items never


PROSE = (
    Role.PARAGRAPH, Role.HEADING, Role.TITLE, Role.LABEL, Role.COLUMN_HEAD, Role.ROW_HEAD, Role.CELL
)  # fmt: skip
"""Roles of frames that hold text and shapes, but no frames and no zones."""


class Text(NamedTuple):
    """A line of text or a part of one.

    `y` is its baseline, `link` the target of a hyperlink. `glyphs` is None for plain text. `language` is set for a run
    in another script than that of the document.
    """

    x: float
    y: float
    text: str
    width: float
    style: TextStyle
    link: str | None = None
    glyphs: Glyphs | None = None
    language: str | None = None


class Rule(NamedTuple):
    """A horizontal line centred at `y`."""

    x: float
    y: float
    w: float
    thickness: float
    colour: Colour


class Outline(NamedTuple):
    """The outline of a rectangle."""

    rect: Rect
    thickness: float
    colour: Colour


class Ring(NamedTuple):
    """The circle inside a square."""

    rect: Rect
    thickness: float
    colour: Colour


class Stroke(NamedTuple):
    """Straight lines from point to point."""

    points: tuple[tuple[float, float], ...]
    thickness: float
    colour: Colour


class Fill(NamedTuple):
    """A rectangle of one colour."""

    rect: Rect
    colour: Colour


class Image(NamedTuple):
    """An image that fills a rectangle."""

    rect: Rect
    file: ImageFile


class Pattern(NamedTuple):
    """A grid of squares that fills a rectangle. Squares that are true are filled with `colour`."""

    rect: Rect
    rows: tuple[tuple[bool, ...], ...]
    colour: Colour


class Choice(NamedTuple):
    """An option of an input, with the rectangle of its button or, for a dropdown, of the dropdown."""

    text: str
    rect: Rect


class UnplacedZone(NamedTuple):
    """A zone that has no page yet, with coordinates relative to its frame. It is not drawn."""

    rect: Rect
    name: str
    type: ZoneType
    label: str
    recipient: str
    required: bool
    placeholder: str | None = None
    options: tuple[Choice, ...] = ()
    date_format: str | None = None


class Frame(NamedTuple):
    """A block, or the part of a block on one page, with its items. `path` is the block's JSON pointer.

    Parts with a meaning of their own (an item of a list, an input in a row) are nested frames with their own path, such
    as `/blocks/3/items/0`. Frames of the same path and role on several pages become one structure element.
    `alternative` is the text alternative of a figure, `level` that of a heading, `numbering` that of a list.
    """

    width: float
    height: float
    role: Role
    path: str
    items: "tuple[Item, ...]" = ()
    alternative: str = ""
    level: int = 1
    numbering: str = "Disc"


class Placed(NamedTuple):
    """A frame with the position of its top left corner on a page or in another frame."""

    x: float
    y: float
    frame: Frame


Shape = Rule | Outline | Ring | Stroke | Fill | Image | Pattern
Item = Text | Shape | UnplacedZone | Placed


def frames_of(at: Placed) -> Iterator[Placed]:
    """Yields `at` and its nested frames in reading order, each with its position on the page."""
    yield at
    if at.frame.role in PROSE:
        return
    for item in at.frame.items:
        if isinstance(item, Placed):
            yield from frames_of(Placed(at.x + item.x, at.y + item.y, item.frame))


def glyphs_of(text: Text) -> Glyphs | None:
    """Returns the glyphs of `text`, shaped now if it was not shaped in its paragraph; None if it is plain."""
    if text.glyphs is not None or is_plain(text.text):
        return text.glyphs
    return line_shaper(text.style.face, Han.SIMPLIFIED).line(text.text).glyphs

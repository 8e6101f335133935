"""Frames: what a block looks like once everything about it is decided. The painter only draws them.

A frame's items are placed from its own top left corner; a page says where each frame stands.
"""

from dataclasses import dataclass
from enum import Enum, auto

from layout.fonts import TextStyle
from layout.geometry import Rect
from layout.theme import Colour
from layout.zones import ZoneType


class Role(Enum):
    """What a frame is to somebody who has the page read aloud."""

    HEADING = auto()
    PARAGRAPH = auto()
    INPUT = auto()
    SIGNATURE = auto()
    GAP = auto()
    FURNITURE = auto()  # header band and footer, which repeat on every page


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its baseline, `width` what it measures."""

    x: float
    y: float
    text: str
    width: float
    style: TextStyle


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
class Slot:
    """Where a recipient fills in something: a zone that does not know its page yet. Nothing of it is drawn."""

    rect: Rect
    name: str
    type: ZoneType
    label: str
    recipient: str
    required: bool
    placeholder: str | None = None


Item = Text | Rule | Outline | Slot


@dataclass(frozen=True, slots=True)
class Frame:
    """A block, or the part of one that stands on one page, with all its items. `path` is the block's JSON pointer."""

    width: float
    height: float
    role: Role
    path: str
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A frame on a page, by its top left corner."""

    x: float
    y: float
    frame: Frame

"""Inputs that a recipient fills in. Specification 2.8, 2.12: never split."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from layout.blocks.block import Block, Fit, Gaps, whole_or_nothing
from layout.blocks.rtl_mirroring import mirror
from layout.blocks.text_placement import Column, set_lines
from layout.paging.frames import Choice, Frame, Item, Outline, Role, UnplacedZone
from layout.paging.geometry import Rect, Region
from layout.schema.theme import LINE
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, wrap
from layout.zones.zone import ZoneType

TICK_BOX = 11.0
BOX_GAP = 8.0
"""Between a tick box or round button and its text."""

HAIRLINE = 0.6
_TICK_LINE = 0.8
_UNBROKEN_SPACE = "\u00a0"


@dataclass(frozen=True, slots=True)
class Input:
    """Whose input it is and under which name its value is stored."""

    name: str
    label: str
    recipient: str
    required: bool
    placeholder: str | None
    date_format: str | None = None

    def label_lines(self, style: TextStyle, width: float, fonts: FontMetrics) -> tuple[Line, ...]:
        """The label as printed, with the mark of a required field, which never stands alone on a line."""
        if not self.required:
            return wrap(self.label, style, width, fonts)
        *lines, last = wrap(f"{self.label}{_UNBROKEN_SPACE}*", style, width, fonts)
        return (*lines, last._replace(text=last.text.replace(f"{_UNBROKEN_SPACE}*", " *")))

    def zone(self, type: ZoneType, rect: Rect, options: tuple[Choice, ...] = ()) -> UnplacedZone:
        return UnplacedZone(
            rect,
            self.name,
            type,
            self.label,
            self.recipient,
            self.required,
            self.placeholder,
            options,
            self.date_format,
        )


@dataclass(frozen=True, slots=True)
class DrawnControl:
    """What one fills in, from the frame's left edge down from `top`, which it was drawn at, to `bottom`."""

    items: tuple[Item, ...]
    bottom: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where a control is drawn: how far down in its frame and how wide, and the JSON pointer of its input."""

    top: float
    width: float
    path: str


class Control(Protocol):
    """What stands below a label and is filled in. One class for each look, in `layout.blocks.controls`."""

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl: ...


class FieldBlock(Block, Protocol):
    """An input as a block; in a row of inputs it is given a column instead of a region."""

    @property
    def input(self) -> Input: ...

    @property
    def style(self) -> TextStyle: ...

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        """The input at its full height."""


@dataclass(frozen=True, slots=True)
class LabelledField:
    """An input with its label above."""

    path: str
    input: Input
    style: TextStyle
    control: Control

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        return whole_or_nothing(self.frame(region.width, fonts), region)

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        lines = self.input.label_lines(self.style, width, fonts)
        label = set_lines(lines, self.style, fonts, Column(width, align="left"))
        drawn = self.control.draw(self.input, Place(len(lines) * self.style.leading, width, self.path), fonts)
        items: tuple[Item, ...] = (*label, *drawn.items)
        if lines[0].backwards:
            items = mirror(items, width)
        return Frame(width, drawn.bottom, Role.INPUT, self.path, items)


@dataclass(frozen=True, slots=True)
class CheckboxField:
    """One tick box with its label beside it."""

    path: str
    input: Input
    style: TextStyle

    gaps: ClassVar[Gaps] = Gaps(above=6, below=8)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        return whole_or_nothing(self.frame(region.width, fonts), region)

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        lines = self.input.label_lines(self.style, width - TICK_BOX - BOX_GAP, fonts)
        box, column = box_and_column(self.style, width)
        label = set_lines(lines, self.style, fonts, column)
        items: tuple[Item, ...] = (tick_box(box), *label, self.input.zone(ZoneType.CHECKBOX, box))
        if lines[0].backwards:
            items = mirror(items, width)
        height = max(len(lines) * self.style.leading, box.bottom)
        return Frame(width, height, Role.INPUT, self.path, items)


def tick_box(rect: Rect) -> Outline:
    return Outline(rect, _TICK_LINE, LINE)


def box_and_column(style: TextStyle, width: float) -> tuple[Rect, Column]:
    """The square of a box or button, half-way up the first of some lines, and the column of the lines at its right."""
    indent = TICK_BOX + BOX_GAP
    y = max(0.5, (style.leading - TICK_BOX) / 2)
    return Rect(0.5, y, TICK_BOX, TICK_BOX), Column(width - indent, x=indent, align="left")

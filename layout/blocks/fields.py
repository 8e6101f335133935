"""Inputs that a recipient fills in, alone or side by side. They are never split. Specification 2.7, 2.8, 2.12."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from layout.blocks.alignment import Column, mirror, set_lines
from layout.blocks.block import Block, Fit, Gaps, whole_or_nothing
from layout.blocks.tick_box_shape import BOX_GAP, TICK_BOX, box_and_column, tick_box
from layout.frames import Choice, Frame, Item, Placed, Role, Rule, Stroke, Text, UnplacedZone
from layout.geometry import Rect, Region
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import Line, wrap
from layout.zone import ZoneType

HAIRLINE = 0.6
_UNBROKEN_SPACE = "\u00a0"
_GUTTER = 20.0


@dataclass(frozen=True, slots=True)
class Input:
    """Data of an input: its name, label and recipient. `name` is the key of its value."""

    name: str
    label: str
    recipient: str
    required: bool
    placeholder: str | None
    date_format: str | None = None

    def label_lines(self, style: TextStyle, width: float, fonts: FontMetrics) -> tuple[Line, ...]:
        """Returns the lines of the label. A required one ends with an asterisk, which never stands alone on a line."""
        if not self.required:
            return wrap(self.label, style, width, fonts)
        *lines, last = wrap(f"{self.label}{_UNBROKEN_SPACE}*", style, width, fonts)
        return (*lines, last._replace(text=last.text.replace(f"{_UNBROKEN_SPACE}*", " *")))

    def zone(self, type: ZoneType, rect: Rect, options: tuple[Choice, ...] = ()) -> UnplacedZone:
        label = (self.name, type, self.label, self.recipient, self.required, self.placeholder)
        return UnplacedZone(rect, *label, options, self.date_format)


@dataclass(frozen=True, slots=True)
class DrawnControl:
    """The items of a drawn control. `bottom` is its lower edge in the frame."""

    items: tuple[Item, ...]
    bottom: float


@dataclass(frozen=True, slots=True)
class Place:
    """Position of a control in its frame, its width, and the JSON pointer of its input."""

    top: float
    width: float
    path: str


class Control(Protocol):
    """The part of an input below its label. `layout.blocks.controls` has one class for each appearance."""

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl: ...


@dataclass(frozen=True, slots=True)
class FieldBlock(Block):
    """An input as a block, with the style of its label."""

    input: Input
    style: TextStyle

    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        return whole_or_nothing(self.frame(region.width, fonts), region)

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        """Lays out the whole input, `width` points wide."""
        raise NotImplementedError

    def label_height(self, width: float, fonts: FontMetrics) -> float | None:
        """Returns the height of the label above the control; None if it stands beside it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class LabelledField(FieldBlock):
    """An input with its label above."""

    control: Control

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        lines = self.input.label_lines(self.style, width, fonts)
        label = set_lines(lines, self.style, fonts, Column(width, align="left"))
        drawn = self.control.draw(self.input, Place(len(lines) * self.style.leading, width, self.path), fonts)
        items: tuple[Item, ...] = (*label, *drawn.items)
        if lines[0].backwards:
            items = mirror(items, width)
        return Frame(width, drawn.bottom, Role.INPUT, self.path, items)

    def label_height(self, width: float, fonts: FontMetrics) -> float | None:
        return len(self.input.label_lines(self.style, width, fonts)) * self.style.leading


@dataclass(frozen=True, slots=True)
class CheckboxField(FieldBlock):
    """One tick box with its label beside it."""

    gaps: ClassVar[Gaps] = Gaps(above=6, below=8)

    def frame(self, width: float, fonts: FontMetrics) -> Frame:
        lines = self.input.label_lines(self.style, width - TICK_BOX - BOX_GAP, fonts)
        box, column = box_and_column(self.style, width)
        label = set_lines(lines, self.style, fonts, column)
        items: tuple[Item, ...] = (tick_box(box), *label, self.input.zone(ZoneType.CHECKBOX, box))
        if lines[0].backwards:
            items = mirror(items, width)
        height = max(len(lines) * self.style.leading, box.bottom)
        return Frame(width, height, Role.INPUT, self.path, items)

    def label_height(self, width: float, fonts: FontMetrics) -> float | None:  # noqa: ARG002  # of the base class
        return None


@dataclass(frozen=True, slots=True)
class FieldRow(Block):
    """Inputs in columns of equal width. Their labels end on one line; a tick box stands at the bottom."""

    fields: tuple[FieldBlock, ...]

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        width = (region.width - _GUTTER * (len(self.fields) - 1)) / len(self.fields)
        frames = [field.frame(width, fonts) for field in self.fields]
        labels = [field.label_height(width, fonts) for field in self.fields]
        lowest = max((label for label in labels if label is not None), default=0.0)
        height = max(
            frame.height + (lowest - label if label else 0) for frame, label in zip(frames, labels, strict=True)
        )
        drops = [
            height - frame.height if label is None else lowest - label
            for frame, label in zip(frames, labels, strict=True)
        ]
        columns = [column * (width + _GUTTER) for column in range(len(frames))]
        first = self.fields[0]
        if first.input.label_lines(first.style, width, fonts)[0].backwards:
            columns.reverse()
        lowered = [_lowered(frame, drop, height) for frame, drop in zip(frames, drops, strict=True)]
        items = tuple(Placed(x, 0, frame) for x, frame in zip(columns, lowered, strict=True))
        return whole_or_nothing(Frame(region.width, height, Role.ROW, self.path, items), region)


def _lowered(frame: Frame, drop: float, height: float) -> Frame:
    """Returns `frame` with the `height` of the row, its items moved down by `drop`."""
    return frame._replace(
        height=height, items=tuple(_moved(item, drop) for item in frame.items) if drop else frame.items
    )


def _moved(item: Item, drop: float) -> Item:
    match item:
        case Text() | Rule() | Placed():
            return item._replace(y=item.y + drop)
        case Stroke():
            return item._replace(points=tuple((x, y + drop) for x, y in item.points))
        case UnplacedZone():
            options = tuple(option._replace(rect=option.rect.moved(0, drop)) for option in item.options)
            return item._replace(rect=item.rect.moved(0, drop), options=options)
    return item._replace(rect=item.rect.moved(0, drop))

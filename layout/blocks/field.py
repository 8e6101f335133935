"""Inputs that a recipient fills in. Spec: 2.8 Input field properties; never split (2.12)."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, whole_or_nothing
from layout.blocks.mirroring import mirrored
from layout.blocks.texts import Column, set_lines
from layout.fonts import FontMetrics, TextStyle
from layout.frames import Frame, Item, Outline, Role, Rule, Slot
from layout.geometry import Rect, Region
from layout.lines import wrap
from layout.theme import LINE
from layout.zones import ZoneType

ENTRY_HEIGHT = 20.0
_UNDERLINE = 0.6
_TICK_BOX = 11.0
_BESIDE = 8.0


@dataclass(frozen=True, slots=True)
class Input:
    """Whose input it is and under which name its value is stored."""

    name: str
    label: str
    recipient: str
    required: bool
    placeholder: str | None

    @property
    def printed_label(self) -> str:
        """The label as printed, with the mark of a required field."""
        return f"{self.label} *" if self.required else self.label

    def slot(self, type: ZoneType, rect: Rect) -> Slot:
        return Slot(rect, self.name, type, self.label, self.recipient, self.required, self.placeholder)


@dataclass(frozen=True, slots=True)
class TextField:
    """A line of text on an underline, its label above."""

    path: str
    input: Input
    style: TextStyle

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        lines = wrap(self.input.printed_label, self.style, region.width, fonts)
        label = set_lines(lines, self.style, fonts, Column(region.width))
        entry = Rect(0, len(lines) * self.style.leading, region.width, ENTRY_HEIGHT)
        underline = Rule(0, entry.bottom, region.width, _UNDERLINE, LINE)
        items: tuple[Item, ...] = (*label, underline, self.input.slot(ZoneType.TEXT, entry))
        return whole_or_nothing(Frame(region.width, entry.bottom + _UNDERLINE, Role.INPUT, self.path, items), region)


@dataclass(frozen=True, slots=True)
class CheckboxField:
    """A tick box with its label beside it."""

    path: str
    input: Input
    style: TextStyle

    gaps: ClassVar[Gaps] = Gaps(above=6, below=8)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        indent = _TICK_BOX + _BESIDE
        lines = wrap(self.input.printed_label, self.style, region.width - indent, fonts)
        box = Rect(0.5, (self.style.leading - _TICK_BOX) / 2, _TICK_BOX, _TICK_BOX)
        label = set_lines(lines, self.style, fonts, Column(region.width - indent, x=indent, align="left"))
        items: tuple[Item, ...] = (Outline(box, 0.8, LINE), *label, self.input.slot(ZoneType.CHECKBOX, box))
        if lines[0].backwards:
            items = mirrored(items, region.width)
        height = max(len(lines) * self.style.leading, box.bottom)
        return whole_or_nothing(Frame(region.width, height, Role.INPUT, self.path, items), region)

"""Appearance of inputs: underlines, boxes, dropdowns and options. Specification 2.8 (fieldType)."""

from collections.abc import Iterator
from dataclasses import dataclass

from layout.blocks.alignment import set_lines
from layout.blocks.fields import HAIRLINE, DrawnControl, Input, Place
from layout.blocks.tick_box_shape import BOX_GAP, TICK_BOX, box_and_column, tick_box
from layout.frames import Choice, Frame, Item, Outline, Placed, Ring, Role, Rule, Stroke
from layout.geometry import TOLERANCE, Rect
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import wrap
from layout.theme_styles import ENTRY, LINE
from layout.zone import ZoneType

_BELOW_LABEL = 3.0
_LINE_HEIGHT = 22.0  # of a single-line input; equal for all kinds, so that labels in a row align
_LINES_HEIGHT = 72.0  # five lines of text
_INITIALS = (72.0, 36.0)
_ENTRY_INSET = 4.0
_ROUNDING = 0.1  # zones are rounded to hundredths of a point
_ARROW_ROOM = 16.0
_ARROW = (13.0, 4.0)  # distance of its centre from the right edge, and half its width

_ABOVE_OPTIONS = 4.0
_BETWEEN_ROWS = 4.0
_BETWEEN_OPTIONS = 24.0


@dataclass(frozen=True, slots=True)
class Underline:
    """A line of text on an underline."""

    type: ZoneType

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:  # noqa: ARG002  # no text is drawn
        entry = Rect(0, place.top + _BELOW_LABEL, place.width, _LINE_HEIGHT - HAIRLINE)
        rule = Rule(0, entry.bottom + HAIRLINE / 2, place.width, HAIRLINE, LINE)
        return DrawnControl((rule, input.zone(self.type, entry)), entry.bottom + HAIRLINE)


@dataclass(frozen=True, slots=True)
class EntryBox:
    """A small box for initials, or a wide one for several lines of text."""

    type: ZoneType

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:  # noqa: ARG002  # no text is drawn
        size = _INITIALS if self.type is ZoneType.INITIALS else (place.width, _LINES_HEIGHT)
        return _boxed(input, self.type, Rect(0, place.top + _BELOW_LABEL, *size))


@dataclass(frozen=True, slots=True)
class Option:
    """An option: the text that is stored, and the text that is printed."""

    text: str
    shown: str


@dataclass(frozen=True, slots=True)
class DropDown:
    """A box with an arrow at its right, high enough for each option. The options are not printed."""

    options: tuple[Option, ...]

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:
        room = room_in_dropdown(Rect(0, 0, place.width, _LINE_HEIGHT))
        lines = max(len(wrap(option.shown, ENTRY, room.w - _ROUNDING, fonts)) for option in self.options)
        height = max(_LINE_HEIGHT, lines * ENTRY.leading + _LINE_HEIGHT - room.h)
        rect = Rect(0, place.top + _BELOW_LABEL, place.width, height)
        right, half = _ARROW
        x, y = rect.right - right, rect.y + rect.h / 2
        arrow = Stroke(((x - half, y - half / 2), (x, y + half / 2), (x + half, y - half / 2)), 1.0, LINE)
        choices = tuple(Choice(option.text, rect) for option in self.options)
        return _boxed(input, ZoneType.DROPDOWN, rect, arrow, options=choices)


def room_in_dropdown(rect: Rect) -> Rect:
    """Returns the area for the chosen option's text: within the padding, left of the arrow."""
    inset = _ENTRY_INSET
    return Rect(rect.x + inset, rect.y + inset, rect.w - 2 * inset - _ARROW_ROOM, rect.h - 2 * inset)


def _boxed(input: Input, type: ZoneType, rect: Rect, *more: Item, options: tuple[Choice, ...] = ()) -> DrawnControl:
    """Draws a box whose outline lies inside `rect`, with the input's zone."""
    line = Rect(rect.x + HAIRLINE / 2, rect.y + HAIRLINE / 2, rect.w - HAIRLINE, rect.h - HAIRLINE)
    return DrawnControl((Outline(line, HAIRLINE, LINE), *more, input.zone(type, rect, options)), rect.bottom)


@dataclass(frozen=True, slots=True)
class Options:
    """Options: tick boxes below one another, or radio buttons side by side, in as many rows as needed."""

    type: ZoneType
    options: tuple[Option, ...]
    style: TextStyle

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:
        placed = tuple(self._placed(place, fonts))
        bottom = max(at.y + at.frame.height for at, _ in placed)
        choices = tuple(
            Choice(option.text, square.moved(at.x, at.y))
            for option, (at, square) in zip(self.options, placed, strict=True)
        )
        top = place.top + _ABOVE_OPTIONS
        zone = input.zone(self.type, Rect(0, top, place.width, bottom - top), choices)
        return DrawnControl((zone, *(at for at, _ in placed)), bottom)

    def _placed(self, place: Place, fonts: FontMetrics) -> Iterator[tuple[Placed, Rect]]:
        """Yields each option's frame at its place, with the square of its button. A tick box takes the whole row."""
        x, y, row = 0.0, place.top + _ABOVE_OPTIONS, 0.0
        for at, option in enumerate(self.options):
            lines, width = wrap(option.shown, self.style, place.width - TICK_BOX - BOX_GAP, fonts), place.width
            if self.type is not ZoneType.CHECKBOX:
                width = min(width, TICK_BOX + BOX_GAP + max(line.width for line in lines))
            if at and x + width > place.width + TOLERANCE:
                x, y, row = 0.0, y + row + _BETWEEN_ROWS, 0.0
            square, column = box_and_column(self.style, width)
            box = tick_box(square)
            button = box if self.type is ZoneType.CHECKBOX else Ring(square, box.thickness, LINE)
            items = (button, *set_lines(lines, self.style, fonts, column))
            height = max(len(lines) * self.style.leading, square.bottom + 0.5)
            yield Placed(x, y, Frame(width, height, Role.OPTION, f"{place.path}/options/{at}", items)), square
            x, row = x + width + _BETWEEN_OPTIONS, max(row, height)

"""How inputs look: an underline, boxes, a list to drop down, options to choose from. Specification 2.8 (fieldType)."""

from collections.abc import Iterator
from dataclasses import dataclass

from layout.blocks.field import BOX_GAP, HAIRLINE, TICK_BOX, DrawnControl, Input, Place, box_and_column, tick_box
from layout.blocks.text_placement import set_lines
from layout.paging.frames import Choice, Frame, Item, Outline, Placed, Ring, Role, Rule, Stroke
from layout.paging.geometry import TOLERANCE, Rect
from layout.schema.theme import ENTRY, LINE
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, wrap
from layout.zones.zone import ZoneType

_BELOW_LABEL = 3.0
_LINE_HEIGHT = 22.0  # of one line of an entry, underlined or boxed, so that their labels stand level in a row
_LINES_HEIGHT = 72.0  # five lines of an entry
_INITIALS = (72.0, 36.0)
_ENTRY_INSET = 4.0
_ROUNDING = 0.1  # zones are written down to a hundredth of a point
_ARROW_ROOM = 16.0
_ARROW = (13.0, 4.0)  # its middle from the right edge, and half its width

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
class TextBox:
    """A box for several lines of text."""

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:  # noqa: ARG002  # no text is drawn
        return _boxed(input, ZoneType.MULTILINE_TEXT, Rect(0, place.top + _BELOW_LABEL, place.width, _LINES_HEIGHT))


@dataclass(frozen=True, slots=True)
class InitialsBox:
    """A small box for initials."""

    def draw(self, input: Input, place: Place, fonts: FontMetrics) -> DrawnControl:  # noqa: ARG002  # no text is drawn
        return _boxed(input, ZoneType.INITIALS, Rect(0, place.top + _BELOW_LABEL, *_INITIALS))


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is stored and as it is printed."""

    text: str
    shown: str


@dataclass(frozen=True, slots=True)
class DropDown:
    """A box with an arrow at its right, in which each of the options has room. They are nowhere on the page, so their
    places are the box itself.
    """

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
    """Where the text of the chosen option stands in a dropdown: off its edges, and beside its arrow."""
    inset = _ENTRY_INSET
    return Rect(rect.x + inset, rect.y + inset, rect.w - 2 * inset - _ARROW_ROOM, rect.h - 2 * inset)


def _boxed(input: Input, type: ZoneType, rect: Rect, *more: Item, options: tuple[Choice, ...] = ()) -> DrawnControl:
    """An input in a box, whose line lies inside of `rect`."""
    line = Rect(rect.x + HAIRLINE / 2, rect.y + HAIRLINE / 2, rect.w - HAIRLINE, rect.h - HAIRLINE)
    return DrawnControl((Outline(line, HAIRLINE, LINE), *more, input.zone(type, rect, options)), rect.bottom)


@dataclass(frozen=True, slots=True)
class Options:
    """Options with a box or round button each: tick boxes below one another, round buttons packed from the line's
    beginning and wrapped. A text that is too long for a line wraps beside its box.
    """

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
        """Each option where it stands, with its square."""
        x, y, row = 0.0, place.top + _ABOVE_OPTIONS, 0.0
        for at, option in enumerate(self.options):
            lines = wrap(option.shown, self.style, place.width - TICK_BOX - BOX_GAP, fonts)
            width = self._width(lines, place.width)
            if at and x + width > place.width + TOLERANCE:
                x, y, row = 0.0, y + row + _BETWEEN_ROWS, 0.0
            frame, square = self._option(lines, width, f"{place.path}/options/{at}", fonts)
            yield Placed(x, y, frame), square
            x, row = x + width + _BETWEEN_OPTIONS, max(row, frame.height)

    def _width(self, lines: tuple[Line, ...], width: float) -> float:
        """The whole width for a tick box, which has its row to itself."""
        if self.type is ZoneType.CHECKBOX:
            return width
        return min(width, TICK_BOX + BOX_GAP + max(line.width for line in lines))

    def _option(self, lines: tuple[Line, ...], width: float, path: str, fonts: FontMetrics) -> tuple[Frame, Rect]:
        square, column = box_and_column(self.style, width)
        texts = set_lines(lines, self.style, fonts, column)
        button = tick_box(square) if self.type is ZoneType.CHECKBOX else Ring(square, tick_box(square).thickness, LINE)
        height = max(len(lines) * self.style.leading, square.bottom + 0.5)
        return Frame(width, height, Role.OPTION, path, (button, *texts)), square

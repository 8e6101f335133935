"""Layout of values in zones. A text always fits: it shrinks, then wraps, then shrinks further.

Its ink fits too: it is moved into the zone, or the text shrinks. A value whose ink does not fit at a readable size is
refused. In documents of older versions such a value is drawn at that size, clipped to its lines (`layout.ink`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import takewhile
from typing import NamedTuple

from layout.blocks.alignment import Align, Column, set_lines
from layout.blocks.controls import room_in_dropdown
from layout.blocks.signature_block import SMALL_PRINT_DROP, SMALL_PRINT_HEIGHT
from layout.frames import Text
from layout.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN, Rect
from layout.ink import ink_of, overhang
from layout.text.bidi import reads_backwards
from layout.text.characters import prepare_line, prepare_text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import width_of, wrap
from layout.theme_styles import ENTRY, SIGNED_LINE, SIGNING_HAND, SMALL_PRINT
from layout.zone import Zone, ZoneType

_ABOVE_LINE = 1.5
_PADDING = 4.0
_LEADING = 1.2
_SHRINK = 0.93
_AROUND = 1.5  # space around small print, into which the ink of ordinary letters reaches
_ROUNDING = 0.02  # zones are rounded to hundredths of a point


@dataclass(frozen=True, slots=True)
class ZoneValue:
    """The value of one zone: text, a tick, chosen options or an image (PNG). Exactly one of them is set.

    `chosen` are options of the zone, by text. `small_print` is a line of fine text below a signature. An image is
    scaled to fit, up to `max_points_per_pixel`; `alternative` is its text alternative.
    """

    zone: Zone
    text: str | None = None
    ticked: bool = False
    chosen: tuple[str, ...] = ()
    image: bytes | None = None
    small_print: str | None = None
    max_points_per_pixel: float | None = None
    alternative: str | None = None


@dataclass(frozen=True, slots=True)
class SigningRecord:
    """The values of the line below the footer: the session, and the page that verifies the PDF."""

    session_id: str
    verify_url: str


class TextPosition(Enum):
    """Position of text in a zone."""

    LINE = auto()  # bottom left
    TOP = auto()  # top left
    LEFT = auto()  # left, vertically centred
    CENTRE = auto()


@dataclass(frozen=True, slots=True)
class FitRule:
    """Style and position of a value. The text may shrink to `floor` points before it wraps; None: it wraps first."""

    style: TextStyle
    floor: float | None
    position: TextPosition = TextPosition.LINE


READABLE = 6.0
"""Minimum font size in points. A value that would need a smaller size to fit is rejected."""

_ENTRY = FitRule(ENTRY, floor=7)
_SMALL_PRINT = FitRule(SMALL_PRINT, floor=5, position=TextPosition.TOP)
_SIGNED_LINE = FitRule(SIGNED_LINE, floor=5, position=TextPosition.CENTRE)
_BELOW_FOOTER = Rect(MARGIN, BODY_BOTTOM + 41, CONTENT_WIDTH, 17)
_FITTINGS = {
    ZoneType.SIGNATURE: FitRule(SIGNING_HAND, floor=11),
    ZoneType.MULTILINE_TEXT: FitRule(ENTRY, floor=None, position=TextPosition.TOP),
    ZoneType.DROPDOWN: FitRule(ENTRY, floor=None, position=TextPosition.LEFT),
    ZoneType.INITIALS: FitRule(SIGNING_HAND, floor=READABLE, position=TextPosition.CENTRE),
}


def rect_of(zone: Zone) -> Rect:
    return Rect(zone.x, zone.y, zone.w, zone.h)


def value_ticks(value: ZoneValue) -> tuple[Rect, ...]:
    """Returns the boxes that `value` ticks."""
    if value.zone.type is not ZoneType.CHECKBOX:
        return ()
    return (rect_of(value.zone),) if value.ticked else _chosen(value)


def value_dots(value: ZoneValue) -> tuple[Rect, ...]:
    """Returns the radio buttons that `value` fills."""
    return _chosen(value)[:1] if value.zone.type is ZoneType.RADIO else ()


def beginning_of(zone: Zone) -> Align:
    """Returns the side at which the lines of `zone` begin, by the language of its label."""
    return "right" if reads_backwards(zone.label) else "start"


def value_texts(value: ZoneValue, fonts: FontMetrics) -> Iterator[Text]:
    """Yields the texts of `value` with coordinates on the page: the value in the zone, its small print below."""
    zone = rect_of(value.zone)
    beginning = beginning_of(value.zone)
    if value.text:
        rule = _FITTINGS.get(value.zone.type, _ENTRY)
        align: Align = "center" if rule.position is TextPosition.CENTRE else beginning
        yield from _fit_text(_shown(value.text, rule), rule, _Space(_room(value.zone), zone, align), fonts)
    if value.small_print:
        room = Rect(zone.x, zone.bottom + SMALL_PRINT_DROP, zone.w, SMALL_PRINT_HEIGHT)
        yield from _fit_text(
            prepare_line(value.small_print), _SMALL_PRINT, _Space(room, room.grown(_AROUND), beginning), fonts
        )


def texts_below_footer(text: str, fonts: FontMetrics) -> tuple[Text, ...]:
    """Returns `text` in the margin below the footer of a page. A long text shrinks, then wraps."""
    space = _Space(_BELOW_FOOTER, _BELOW_FOOTER.grown(_AROUND), "center")
    return _fit_text(prepare_line(text), _SIGNED_LINE, space, fonts)


def fitting_length(text: str, zone: Zone, fonts: FontMetrics) -> int | None:
    """Returns None if `text` fits into `zone` at a readable size, otherwise the number of its characters that fit."""
    rule, space = _FITTINGS.get(zone.type, _ENTRY), _Space(_room(zone), rect_of(zone))

    def fits(part: str) -> bool:
        shown = _shown(part, rule)
        readable = takewhile(lambda style: style.size >= READABLE, _styles(shown, rule, space.room, fonts))
        return any(_placed(shown, style, rule.position, space, fonts).fits for style in readable)

    if fits(text):
        return None
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(text[:middle]) else (low, middle)
    return low


def _shown(text: str, rule: FitRule) -> str:
    return prepare_text(text) if rule.position is TextPosition.TOP else prepare_line(text)


def _room(zone: Zone) -> Rect:
    """Returns the area for text in `zone`: within the padding of a box, above an underline, beside an arrow."""
    rect = rect_of(zone)
    if zone.type in {ZoneType.MULTILINE_TEXT, ZoneType.INITIALS}:
        return Rect(rect.x + _PADDING, rect.y + _PADDING, rect.w - 2 * _PADDING, rect.h - 2 * _PADDING)
    if zone.type is ZoneType.DROPDOWN:
        room = room_in_dropdown(rect)
        return room._replace(x=rect.x + rect.right - room.right) if reads_backwards(zone.label) else room
    return rect._replace(h=rect.h - _ABOVE_LINE)


def _chosen(value: ZoneValue) -> tuple[Rect, ...]:
    return tuple(Rect(o.x, o.y, o.w, o.h) for o in value.zone.options if o.text in value.chosen)


@dataclass(frozen=True, slots=True)
class _Space:
    """The space for a value: `room` for its lines, aligned by `align`, and `zone` for their ink."""

    room: Rect
    zone: Rect
    align: Align = "start"


class _PlacedValue(NamedTuple):
    """A value in one font size: its texts, whether its lines fit, and whether its ink fits too."""

    texts: tuple[Text, ...]
    has_room: bool
    fits: bool


def _fit_text(text: str, rule: FitRule, space: _Space, fonts: FontMetrics) -> tuple[Text, ...]:
    """Returns `text` in lines that fit. It shrinks until they do; for its ink it shrinks to a readable size at most."""
    readable = min(READABLE, rule.style.size)
    for style in _styles(text, rule, space.room, fonts):
        placed = _placed(text, style, rule.position, space, fonts)
        if placed.fits or (placed.has_room and style.size * _SHRINK < readable):
            break
    return placed.texts


def _placed(text: str, style: TextStyle, position: TextPosition, space: _Space, fonts: FontMetrics) -> _PlacedValue:
    room, zone = space.room, space.zone
    lines = wrap(text, style, room.w, fonts)
    height = len(lines) * style.leading
    if height > room.h + _ROUNDING:
        return _PlacedValue((), has_room=False, fits=False)
    free = {TextPosition.LINE: 1.0, TextPosition.TOP: 0.0}.get(position, 0.5) * (room.h - height)
    texts = set_lines(lines, style, fonts, Column(room.w, room.x, room.y + free, space.align))
    inks = [ink for line in texts if line.glyphs is not None and (ink := ink_of(line)) is not None]
    if not inks:
        return _PlacedValue(texts, has_room=True, fits=True)  # plain text, which is as high as its lines
    left, top = min(ink.x for ink in inks), min(ink.y for ink in inks)
    right, bottom = max(ink.right for ink in inks), max(ink.bottom for ink in inks)
    fits = right - left <= zone.w and bottom - top <= zone.h and not any(map(overhang, texts))
    if not fits:
        return _PlacedValue(texts, has_room=True, fits=False)
    x, y = _shift(left, right, zone.x, zone.right), _shift(top, bottom, zone.y, zone.bottom)
    moved = tuple(line._replace(x=line.x + x, y=line.y + y) for line in texts) if x or y else texts
    return _PlacedValue(moved, has_room=True, fits=True)


def _shift(begin: float, end: float, first: float, last: float) -> float:
    """Returns the distance by which the range from `begin` to `end` is moved to lie between `first` and `last`."""
    return first - begin if begin < first else min(0.0, max(last - end, first - begin))


def _styles(text: str, rule: FitRule, room: Rect, fonts: FontMetrics) -> Iterator[TextStyle]:
    """Yields ever smaller styles to try; the first is the full size, or the size that fits on one line."""
    style = rule.style
    if rule.floor is not None:
        width = width_of(text, style, fonts)
        if width > room.w:
            style = _sized(style, max(min(rule.floor, style.size), style.size * room.w / width))
    while True:
        yield style
        style = _sized(style, style.size * _SHRINK)


def _sized(style: TextStyle, size: float) -> TextStyle:
    """Returns `style` at `size`, rounded down to the precision of the output."""
    points = math.floor(size * 1000) / 1000
    return replace(style, size=points, leading=points * _LEADING)

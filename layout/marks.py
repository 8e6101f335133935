"""Marks: what is put into zones, as drawn items. It always fits: it shrinks, then wraps, then shrinks further."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from layout.blocks.signature_block import SMALL_PRINT_DROP, SMALL_PRINT_HEIGHT
from layout.blocks.texts import Column, set_lines
from layout.characters import on_one_line
from layout.fonts import FontMetrics, TextStyle
from layout.frames import Text
from layout.geometry import Rect
from layout.lines import Line, width_of, wrap
from layout.theme import ENTRY, SIGNING_HAND, SMALL_PRINT
from layout.zones import Zone, ZoneType

_INSET = 2.0
_ABOVE_LINE = 1.5
_LEADING = 1.2
_SHRINK = 0.93


@dataclass(frozen=True, slots=True)
class Mark:
    """What to put into one zone: text, a tick, or a picture (PNG bytes). Exactly one of them is set.

    `small_print` is a line of fine text under a signature.
    """

    zone: Zone
    text: str | None = None
    ticked: bool = False
    picture: bytes | None = None
    small_print: str | None = None


@dataclass(frozen=True, slots=True)
class Fitting:
    """A style that may shrink to `floor` points before its text wraps."""

    style: TextStyle
    floor: float


_ENTRY = Fitting(ENTRY, floor=7)
_SIGNATURE = Fitting(SIGNING_HAND, floor=11)
_SMALL_PRINT = Fitting(SMALL_PRINT, floor=5)


def rect_of(zone: Zone) -> Rect:
    return Rect(zone.x, zone.y, zone.w, zone.h)


def texts_of_mark(mark: Mark, fonts: FontMetrics) -> Iterator[Text]:
    """The texts of `mark` from the page's top left: its value on the zone's line, its small print below."""
    zone = rect_of(mark.zone)
    if mark.text:
        fitting = _SIGNATURE if mark.zone.type is ZoneType.SIGNATURE else _ENTRY
        room = Rect(zone.x + _INSET, zone.y, zone.w - 2 * _INSET, zone.h - _ABOVE_LINE)
        lines, style = fitted(on_one_line(mark.text), fitting, room, fonts)
        top = room.bottom - len(lines) * style.leading
        yield from set_lines(lines, style, fonts, Column(room.w, room.x, top))
    if mark.small_print:
        room = Rect(zone.x, zone.bottom + SMALL_PRINT_DROP, zone.w, SMALL_PRINT_HEIGHT)
        lines, style = fitted(on_one_line(mark.small_print), _SMALL_PRINT, room, fonts)
        yield from set_lines(lines, style, fonts, Column(room.w, room.x, room.y))


def fitted(text: str, fitting: Fitting, room: Rect, fonts: FontMetrics) -> tuple[tuple[Line, ...], TextStyle]:
    """`text` in lines that fit into `room`, and the style they are in.

    It ends: each round makes the letters smaller by the same share, and letters that are small enough fit.
    """
    style, floor = fitting.style, min(fitting.floor, fitting.style.size)
    width = width_of(text, style, fonts)
    if width > room.w:
        style = _sized(style, max(floor, style.size * room.w / width))
    lines = wrap(text, style, room.w, fonts)
    while len(lines) * style.leading > room.h:
        style = _sized(style, style.size * _SHRINK)
        lines = wrap(text, style, room.w, fonts)
    return lines, style


def _sized(style: TextStyle, size: float) -> TextStyle:
    """`style` at `size`, cut to what is painted, so that what was measured is what is drawn."""
    points = math.floor(size * 1000) / 1000
    return replace(style, size=points, leading=points * _LEADING)

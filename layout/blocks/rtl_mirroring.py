"""Blocks whose text runs from right to left have all their parts the other way round: boxes at the right of labels."""

from collections.abc import Iterable
from dataclasses import replace

from layout.paging.frames import Item, Placed, Rule, Stroke, Text, UnplacedZone
from layout.paging.geometry import Rect


def mirror(items: Iterable[Item], width: float) -> tuple[Item, ...]:
    """`items` of a block that is `width` points wide, those at its left now at its right; frames in it as well."""
    return tuple(_mirrored(item, width) for item in items)


def _mirrored(item: Item, width: float) -> Item:
    match item:
        case Placed():
            frame = item.frame
            inner = replace(frame, items=mirror(frame.items, frame.width))
            return replace(item, x=width - item.x - frame.width, frame=inner)
        case Text():
            return item._replace(x=width - item.x - item.width)
        case Rule():
            return replace(item, x=width - item.x - item.w)
        case Stroke():
            return replace(item, points=tuple((width - x, y) for x, y in item.points))
        case UnplacedZone():
            options = tuple(replace(option, rect=_turned(option.rect, width)) for option in item.options)
            return replace(item, rect=_turned(item.rect, width), options=options)
    return replace(item, rect=_turned(item.rect, width))


def _turned(rect: Rect, width: float) -> Rect:
    return Rect(width - rect.right, rect.y, rect.w, rect.h)

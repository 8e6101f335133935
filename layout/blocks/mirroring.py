"""Blocks whose text runs from right to left have all their parts the other way round: boxes at the right of labels."""

from collections.abc import Iterable
from dataclasses import replace

from layout.frames import Item, Placed, Rule, Text
from layout.geometry import Rect


def mirrored(items: Iterable[Item], width: float) -> tuple[Item, ...]:
    """`items` of a block that is `width` points wide, those at its left now at its right; frames in it as well."""
    return tuple(_mirrored(item, width) for item in items)


def _mirrored(item: Item, width: float) -> Item:
    match item:
        case Placed():
            frame = item.frame
            inner = replace(frame, items=mirrored(frame.items, frame.width))
            return replace(item, x=width - item.x - frame.width, frame=inner)
        case Text():
            return item._replace(x=width - item.x - item.width)
        case Rule():
            return replace(item, x=width - item.x - item.w)
    rect = item.rect
    return replace(item, rect=Rect(width - rect.right, rect.y, rect.w, rect.h))

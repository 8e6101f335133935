"""Inputs side by side. Specification 2.7 (fieldRow), 2.12: kept whole on one page."""

from dataclasses import dataclass, replace
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, whole_or_nothing
from layout.blocks.field import FieldBlock
from layout.paging.frames import Frame, Item, Placed, Role, Rule, Stroke, Text, UnplacedZone
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics

_GUTTER = 20.0


@dataclass(frozen=True, slots=True)
class FieldRow:
    """Inputs in equal columns of equal height, all of which end on one line, however many lines their labels have."""

    path: str
    fields: tuple[FieldBlock, ...]

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        width = (region.width - _GUTTER * (len(self.fields) - 1)) / len(self.fields)
        frames = [field.frame(width, fonts) for field in self.fields]
        height = max(frame.height for frame in frames)
        cells = [_lowered(frame, height) for frame in frames]
        columns = [column * (width + _GUTTER) for column in range(len(frames))]
        first = self.fields[0]
        if first.input.label_lines(first.style, width, fonts)[0].backwards:
            columns.reverse()
        items = tuple(Placed(x, 0, cell) for x, cell in zip(columns, cells, strict=True))
        return whole_or_nothing(Frame(region.width, height, Role.ROW, self.path, items), region)


def _lowered(frame: Frame, height: float) -> Frame:
    """`frame` with the height of the row, and what is in it at the bottom."""
    drop = height - frame.height
    return replace(frame, height=height, items=tuple(_moved(item, drop) for item in frame.items)) if drop else frame


def _moved(item: Item, drop: float) -> Item:
    match item:
        case Text():
            return item._replace(y=item.y + drop)
        case Rule() | Placed():
            return replace(item, y=item.y + drop)
        case Stroke():
            return replace(item, points=tuple((x, y + drop) for x, y in item.points))
        case UnplacedZone():
            options = tuple(replace(option, rect=option.rect.moved(0, drop)) for option in item.options)
            return replace(item, rect=item.rect.moved(0, drop), options=options)
    return replace(item, rect=item.rect.moved(0, drop))

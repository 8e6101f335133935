"""Inputs side by side. Spec: 2.7 (fieldRow), 2.12: kept whole on one page."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, whole_or_nothing
from layout.blocks.field import FieldBlock
from layout.fonts import FontMetrics
from layout.frames import Frame, Placed, Role
from layout.geometry import Region

_GUTTER = 20.0


@dataclass(frozen=True, slots=True)
class FieldRow:
    """Inputs in equal columns, all of which end on one line, however many lines their labels have."""

    path: str
    fields: tuple[FieldBlock, ...]

    gaps: ClassVar[Gaps] = Gaps(above=8, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = True

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:
        width = (region.width - _GUTTER * (len(self.fields) - 1)) / len(self.fields)
        frames = [field.frame(width, fonts) for field in self.fields]
        height = max(frame.height for frame in frames)
        columns = [column * (width + _GUTTER) for column in range(len(frames))]
        first = self.fields[0]
        if first.input.label_lines(first.style, width, fonts)[0].backwards:
            columns.reverse()
        items = tuple(Placed(x, height - frame.height, frame) for x, frame in zip(columns, frames, strict=True))
        return whole_or_nothing(Frame(region.width, height, Role.ROW, self.path, items), region)

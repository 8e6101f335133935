"""Vertical gaps. Specification 2.7."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Block, Fit, Gaps, Whole
from layout.frames import Frame, Role
from layout.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class Spacer(Block):
    """A gap of `height` points, besides the gaps of the adjacent blocks. At the end of a page it is shortened."""

    height: float

    gaps: ClassVar[Gaps] = Gaps(above=0, below=0)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:  # noqa: ARG002  # a gap needs no fonts
        return Whole(Frame(region.width, max(0.0, min(self.height, region.height)), Role.GAP, self.path))

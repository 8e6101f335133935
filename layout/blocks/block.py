"""The protocol of blocks: fit into a region. Each kind of block has its own file in this package."""

from dataclasses import dataclass
from typing import Protocol

from layout.paging.frames import Frame
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class Gaps:
    """Space above and below a block, in points. Adjacent gaps collapse to the larger; no gap applies atop a page."""

    above: float
    below: float


class Block(Protocol):
    """A block to lay out. Immutable: the part that does not fit is returned as another block.

    Attributes:
        path: JSON pointer of the block in its document.
        gaps: space above and below.
        keeps_with_next: the block is not placed last on a page if another follows.
        has_zone: the block has a zone that a recipient fills in.
    """

    @property
    def path(self) -> str: ...

    @property
    def gaps(self) -> Gaps: ...

    @property
    def keeps_with_next(self) -> bool: ...

    @property
    def has_zone(self) -> bool: ...

    def fit(self, region: Region, fonts: FontMetrics) -> "Fit":
        """Lays out as much of the block as fits into `region`. A `Part` is never empty and never the whole block."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The block fits."""

    frame: Frame


@dataclass(frozen=True, slots=True)
class Part:
    """The first part of the block fits; `rest` is a strictly smaller block."""

    frame: Frame
    rest: Block


@dataclass(frozen=True, slots=True)
class Nothing:
    """No part of the block fits."""


Fit = Whole | Part | Nothing


def whole_or_nothing(frame: Frame, region: Region) -> Fit:
    """Returns the result for a block that is never split."""
    return Whole(frame) if region.holds(frame.height) else Nothing()

"""The base class of blocks, which fit themselves into a region."""

from dataclasses import dataclass
from typing import ClassVar

from layout.paging.frames import Frame
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class Gaps:
    """Space above and below a block, in points. Adjacent gaps collapse to the larger; no gap applies atop a page."""

    above: float
    below: float


@dataclass(frozen=True, slots=True)
class Block:
    """A block to lay out. Immutable: the part that does not fit is returned as another block.

    `path` is its JSON pointer. A block that `keeps_with_next` is not placed last on a page if another follows.
    `has_zone`: a recipient fills in a part of it.
    """

    path: str

    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    @property
    def gaps(self) -> Gaps:
        return Gaps(above=0, below=0)

    def fit(self, region: Region, fonts: FontMetrics) -> "Fit":
        """Lays out as much of the block as fits into `region`. A `Part` is never empty and never the whole block."""
        raise NotImplementedError


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

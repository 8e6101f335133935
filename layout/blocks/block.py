"""The base class of blocks, which fit themselves into a region."""

from dataclasses import dataclass
from typing import ClassVar

from layout.frames import Frame
from layout.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class Gaps:
    """Space above and below a block, in points. Adjacent gaps collapse to the larger. A page begins without a gap."""

    above: float
    below: float


@dataclass(frozen=True, slots=True)
class Block:
    """A block to lay out. `path` is its JSON pointer. The part that does not fit is returned as another block."""

    path: str

    keeps_with_next: ClassVar[bool] = False  # the block is not placed last on a page if another follows
    has_zone: ClassVar[bool] = False  # a recipient fills in a part of the block

    @property
    def gaps(self) -> Gaps:
        return Gaps(above=0, below=0)

    def fit(self, region: Region, fonts: FontMetrics) -> "Fit":
        """Lays out as much of the block as fits into `region`. A `Part` is neither empty nor the whole block."""
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

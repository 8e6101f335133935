"""What every block can do: fit itself into a region. One file per kind of block beside this one."""

from dataclasses import dataclass
from typing import Protocol

from layout.paging.frames import Frame
from layout.paging.geometry import Region
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class Gaps:
    """The room that a block wants above and below; of two that meet, the larger counts. None at the top of a page."""

    above: float
    below: float


class Block(Protocol):
    """A thing to lay out. Frozen: fitting it changes nothing, and what is left over is another block.

    Attributes:
        path: JSON pointer of the block in its document.
        gaps: the room around it.
        keeps_with_next: never last on a page while something follows.
        has_zone: a recipient fills in something in it.
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
        """As much of the block as `region` holds; a part is always more than nothing and less than the whole."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The block fits."""

    frame: Frame


@dataclass(frozen=True, slots=True)
class Part:
    """The beginning of the block fits; `rest` is a strictly smaller block."""

    frame: Frame
    rest: Block


@dataclass(frozen=True, slots=True)
class Nothing:
    """Not even the beginning fits."""


Fit = Whole | Part | Nothing


def whole_or_nothing(frame: Frame, region: Region) -> Fit:
    """For blocks that are never split."""
    return Whole(frame) if region.holds(frame.height) else Nothing()

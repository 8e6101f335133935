"""Pictures between the blocks. Specification 2.7: never split, and as tall as the picture is for its width."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.block import Fit, Gaps, whole_or_nothing
from layout.blocks.text_placement import SHARE, Align
from layout.paging.frames import Frame, Image, Role
from layout.paging.geometry import Rect, Region
from layout.schema.image_file import ImageFile
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A picture, `width` points wide."""

    path: str
    file: ImageFile
    width: float
    align: Align = "left"

    gaps: ClassVar[Gaps] = Gaps(above=12, below=12)
    keeps_with_next: ClassVar[bool] = False
    has_zone: ClassVar[bool] = False

    @property
    def height(self) -> float:
        return self.file.height_at(self.width)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:  # noqa: ARG002  # a picture needs no fonts
        rect = Rect(SHARE[self.align] * (region.width - self.width), 0, self.width, self.height)
        items = (Image(rect, self.file),)
        return whole_or_nothing(
            Frame(region.width, self.height, Role.FIGURE, self.path, items, self.file.alternative), region
        )

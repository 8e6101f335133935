"""Images, which are never split and keep their aspect ratio. Specification 2.7."""

from dataclasses import dataclass
from typing import ClassVar

from layout.blocks.alignment import SHARE, Align
from layout.blocks.block import Block, Fit, Gaps, whole_or_nothing
from layout.captions import ENGLISH, Captions
from layout.frames import Frame, Image, Role
from layout.geometry import Rect, Region
from layout.schema.image_file import ImageFile
from layout.text.fonts import FontMetrics


@dataclass(frozen=True, slots=True)
class ImageBlock(Block):
    """An image, `width` points wide."""

    file: ImageFile
    width: float
    align: Align = "left"
    captions: Captions = ENGLISH

    gaps: ClassVar[Gaps] = Gaps(above=12, below=12)

    @property
    def height(self) -> float:
        return self.file.height_at(self.width)

    def fit(self, region: Region, fonts: FontMetrics) -> Fit:  # noqa: ARG002  # an image needs no fonts
        rect = Rect(SHARE[self.align] * (region.width - self.width), 0, self.width, self.height)
        items = (Image(rect, self.file),)
        picture, name = self.captions.picture, self.file.name
        alternative = f"{picture}: {name}" if name else picture
        return whole_or_nothing(Frame(region.width, self.height, Role.FIGURE, self.path, items, alternative), region)

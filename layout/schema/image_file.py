"""Pictures that documents show: their bytes, and their size on a page. Specification 2.5 (logo), 2.7 (image), 2.10."""

from dataclasses import dataclass
from pathlib import PurePath

LOGO_WIDTH, LOGO_HEIGHT = 130.0, 60.0
"""The slot that a logo fits, in points."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """One picture: a PNG or JPEG, its size in pixels, and the name of the file that it was uploaded as."""

    content: bytes
    width: int
    height: int
    file_name: str = ""

    @property
    def name(self) -> str:
        """The name of the file without its ending; possibly empty."""
        return PurePath(self.file_name).stem

    @property
    def alternative(self) -> str:
        """The picture in words, as far as anybody has said what it shows."""
        return f"Picture: {self.name}" if self.name else "Picture"

    def height_at(self, width: float) -> float:
        """How tall the picture is, in points, when it is `width` points wide."""
        return width * self.height / self.width

    def width_within(self, limit: float, asked: float | None) -> float:
        """The width in points: as asked, or else a point for a pixel, as far as there is room. Specification 2.7."""
        return min(float(self.width), limit) if asked is None else asked


@dataclass(frozen=True, slots=True)
class Logo:
    """A logo as it is drawn, in points."""

    file: ImageFile
    width: float
    height: float


def fit_logo(file: ImageFile, asked: float | None) -> Logo:
    """The logo at the width that was asked for, or smaller: it never leaves its slot. Specification 2.5."""
    width = file.width_within(LOGO_WIDTH, asked)
    scale = min(1.0, LOGO_HEIGHT / file.height_at(width))
    return Logo(file, width * scale, file.height_at(width) * scale)

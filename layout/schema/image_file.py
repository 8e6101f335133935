"""Images in documents: their bytes, and their size on a page. Specification 2.5 (logo), 2.7 (image), 2.10."""

from dataclasses import dataclass
from pathlib import PurePath

LOGO_WIDTH, LOGO_HEIGHT = 130.0, 60.0
"""Maximum size of a logo in points."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """An image: PNG or JPEG, its size in pixels, and its file name when uploaded."""

    content: bytes
    width: int
    height: int
    file_name: str = ""

    @property
    def name(self) -> str:
        """The file name without its extension; possibly empty."""
        return PurePath(self.file_name).stem

    def height_at(self, width: float) -> float:
        """Returns the height in points at a width of `width` points."""
        return width * self.height / self.width

    def width_within(self, limit: float, requested: float | None) -> float:
        """Returns `requested`, or by default a point for each pixel, up to `limit` points. Specification 2.7."""
        return min(float(self.width), limit) if requested is None else requested


@dataclass(frozen=True, slots=True)
class Logo:
    """A logo with its size on the page, in points."""

    file: ImageFile
    width: float
    height: float


def fit_logo(file: ImageFile, requested: float | None) -> Logo:
    """Returns the logo at the requested width, scaled down to the maximum size. Specification 2.5."""
    width = file.width_within(LOGO_WIDTH, requested)
    scale = min(1.0, LOGO_HEIGHT / file.height_at(width))
    return Logo(file, width * scale, file.height_at(width) * scale)

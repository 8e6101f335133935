"""Images for tests: a drawn signature, image files, page images, and their comparison."""

import math
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw

from layout.geometry import Rect
from layout.pdf.pymupdf_file import open_file
from layout.schema.image_file import ImageFile


def scrawl() -> bytes:
    """A drawn signature: dark strokes on nothing, as PNG, twice as wide as high with empty edges."""
    picture = Image.new("RGBA", (600, 300), (0, 0, 0, 0))
    points = [(60 + 4.6 * t, 150 - 80 * math.sin(t / 7) * math.cos(t / 23) - t / 4) for t in range(100)]
    ImageDraw.Draw(picture).line(points, fill=(21, 48, 107, 255), width=7, joint="curve")
    return encoded(picture)


def difference(one: Image.Image, other: Image.Image) -> Image.Image | None:
    """What differs between two pictures, made plain to see; None if they look alike.

    Alike: equally large, and no more than a thousandth of the pixels differ by a step that an eye can see. Machines
    round the edges of letters differently.
    """
    if one.size != other.size:
        return Image.new("L", one.size, 255)
    steps = ImageChops.difference(one.convert("L"), other.convert("L")).point(lambda step: 255 if step > 48 else 0)
    seen = steps.histogram()[255]
    return steps if seen > one.width * one.height / 1000 else None


SCALE = 4
"""Pixels a point."""


def page_picture(pdf: bytes, number: int, scale: float = SCALE) -> Image.Image:
    """Page `number`, from 1, in grey."""
    with open_file(pdf) as file:
        drawn = file[number - 1].get_pixmap(dpi=round(72 * scale))
    return Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples).convert("L")


def ink_of(before: Image.Image, after: Image.Image) -> Rect | None:
    """The rectangle, in points, in which `after` is another picture than `before`; None if they are alike."""
    changed = ImageChops.difference(before, after).point(lambda grey: 255 if grey > 40 else 0).getbbox()
    if changed is None:
        return None
    left, top, right, bottom = (edge / SCALE for edge in changed)
    return Rect(left, top, right - left, bottom - top)


def encoded(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    written = BytesIO()
    picture.save(written, kind, **options)  # type: ignore[arg-type]
    return written.getvalue()


def shades(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """A picture whose pixels all differ from their neighbours, smoothly."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    return Image.merge("RGBA", (across, down, across, down)).convert(mode)


def image_file(width: int, height: int, file_name: str = "") -> ImageFile:
    """A PNG of that many pixels."""
    return ImageFile(encoded(Image.new("RGB", (width, height), "#c8963e")), width, height, file_name)


PICTURES = {
    "wide": image_file(900, 90),
    "tall": image_file(30, 700),
    "small": image_file(7, 5),
    "large": image_file(600, 600),
}
"""Pictures of all proportions, by file id."""

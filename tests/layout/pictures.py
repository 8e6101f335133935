"""A signature as the signing page sends it, and pictures held against each other."""

import math
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw


def scrawl() -> bytes:
    """A drawn signature: dark strokes on nothing, as PNG, twice as wide as high with empty edges."""
    picture = Image.new("RGBA", (600, 300), (0, 0, 0, 0))
    points = [(60 + 4.6 * t, 150 - 80 * math.sin(t / 7) * math.cos(t / 23) - t / 4) for t in range(100)]
    ImageDraw.Draw(picture).line(points, fill=(21, 48, 107, 255), width=7, joint="curve")
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


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

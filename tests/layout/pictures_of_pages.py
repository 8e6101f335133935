"""Pages as pictures, and where two of them differ."""

from typing import Any

from PIL import Image, ImageChops

from layout.paging.geometry import Rect
from layout.pdf import existing_file

SCALE = 4
"""Pixels a point."""


def page_picture(pdf: bytes, number: int, scale: float = SCALE) -> Image.Image:
    """Page `number`, from 1, in grey."""
    with existing_file.open_file(pdf) as file:
        pages: Any = file  # drawing pages is no part of what the engine uses of PyMuPDF
        drawn = pages[number - 1].get_pixmap(dpi=round(72 * scale))
    return Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples).convert("L")


def ink_of(before: Image.Image, after: Image.Image) -> Rect | None:
    """The rectangle, in points, in which `after` is another picture than `before`; None if they are alike."""
    changed = ImageChops.difference(before, after).point(lambda grey: 255 if grey > 40 else 0).getbbox()
    if changed is None:
        return None
    left, top, right, bottom = (edge / SCALE for edge in changed)
    return Rect(left, top, right - left, bottom - top)

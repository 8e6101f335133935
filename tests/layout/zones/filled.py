"""Zones of every type on a blank page, and what their values leave there."""

from functools import cache

from PIL import Image

from layout.engine import ZoneValue, stamp
from layout.geometry import Rect
from layout.zone import Zone, ZoneOption, ZoneType
from tests.layout.documents import paragraph, rendered_pdf
from tests.layout.pictures import ink_of, page_picture

BOXES = {
    ZoneType.TEXT: Rect(56, 200, 483, 20),
    ZoneType.DATE: Rect(56, 200, 150, 20),
    ZoneType.NUMBER: Rect(56, 200, 150, 20),
    ZoneType.EMAIL: Rect(56, 200, 230, 20),
    ZoneType.AU_MOBILE: Rect(56, 200, 150, 20),
    ZoneType.MULTILINE_TEXT: Rect(56, 200, 483, 72),
    ZoneType.DROPDOWN: Rect(56, 200, 230, 24),
    ZoneType.INITIALS: Rect(56, 200, 72, 36),
}


def zone(type: ZoneType, rect: Rect | None = None, options: tuple[ZoneOption, ...] = (), label: str = "It") -> Zone:
    box = rect or BOXES.get(type, Rect(56, 300, 200, 31))
    return Zone(
        name="x", type=type, label=label, recipient="client", page=1, x=box.x, y=box.y, w=box.w, h=box.h,
        required=True, path="/blocks/0", options=options,
    )  # fmt: skip


@cache
def body() -> bytes:
    return rendered_pdf(paragraph("x"))


@cache
def _blank() -> Image.Image:
    return page_picture(body(), 1)


def ink(*values: ZoneValue) -> Rect:
    """The rectangle of what the values leave on the page."""
    drawn = ink_of(_blank(), page_picture(stamp(body(), values), 1))
    assert drawn is not None
    return drawn


def within(inner: Rect, outer: Rect) -> bool:
    """Whether `inner` lies in `outer`, up to a point at the edges, where pixels are cut."""
    return (
        inner.x >= outer.x - 1
        and inner.y >= outer.y - 1
        and inner.right <= outer.right + 1
        and inner.bottom <= outer.bottom + 1
    )

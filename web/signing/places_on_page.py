"""The places of inputs over the image of a page, for the script of the page view."""

from layout.geometry import PAGE_HEIGHT, PAGE_WIDTH
from layout.zone import Zone


def place_of(zone: Zone) -> str:
    """Returns the page of `zone` and its rectangle in thousandths of the page size, for the script."""
    return f"{zone.page} {box_of(zone.x, zone.y, zone.w, zone.h)}"


def box_of(x: float, y: float, w: float, h: float) -> str:
    """Returns a rectangle in thousandths of the page's width and height."""
    return " ".join(f"{1000 * part:.2f}" for part in (x / PAGE_WIDTH, y / PAGE_HEIGHT, w / PAGE_WIDTH, h / PAGE_HEIGHT))

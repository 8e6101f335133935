"""The zones of a page, with coordinates on the page."""

from collections.abc import Iterator, Sequence

from layout.frames import Placed, Role, UnplacedZone, frames_of
from layout.geometry import Rect
from layout.zone import Zone, ZoneOption

_ROLES_WITH_ZONES = (Role.INPUT, Role.ROW, Role.SIGNATURE)


def place_zones(page: int, placed: Sequence[Placed]) -> Iterator[Zone]:
    """Yields the zones in the frames of page `page` (from 1)."""
    for inputs in placed:
        if inputs.frame.role in _ROLES_WITH_ZONES:
            for at in frames_of(inputs):
                yield from (_zone(item, at, page) for item in at.frame.items if isinstance(item, UnplacedZone))


def _zone(zone: UnplacedZone, at: Placed, page: int) -> Zone:
    return Zone(
        **_box(zone.rect, at),
        name=zone.name,
        type=zone.type,
        label=zone.label,
        recipient=zone.recipient,
        page=page,
        required=zone.required,
        path=at.frame.path,
        placeholder=zone.placeholder,
        options=tuple(ZoneOption(text=choice.text, **_box(choice.rect, at)) for choice in zone.options),
        date_format=zone.date_format,
    )


def _box(rect: Rect, at: Placed) -> dict[str, float]:
    placed = rect.moved(at.x, at.y)
    return {"x": round(placed.x, 2), "y": round(placed.y, 2), "w": round(placed.w, 2), "h": round(placed.h, 2)}

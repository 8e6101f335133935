"""Estimates how many characters fit into the fields of a page, to show the limits while the recipient types.

`web.signing.check_submitted_form` measures the values themselves, and refuses those that do not fit.
"""

from collections.abc import Mapping, Sequence

import structlog

from application.documents.render_jobs import ZoneText, check_text_fits
from application.stamping.inputs import FieldPlacement
from domain.ports.process_pool import PoolBusy, ProcessDied, ProcessPool
from domain.session.check_one_field import MAX_TEXT
from domain.session.fields import FieldKind
from layout.zone import Zone

log = structlog.get_logger(__name__)

_KINDS = frozenset({FieldKind.TEXT, FieldKind.MULTILINE_TEXT})
_SAMPLE = ("The quick brown fox jumps over the lazy dog, and 12 liquor jugs go by. " * MAX_TEXT)[:MAX_TEXT]
_MAX_KEPT = 10_000
_ROUNDED = 5

_Size = tuple[str, float, float]
_kept: dict[_Size, int | None] = {}
"""How many characters fit into a zone, by its type, width and height; None if the longest permitted text fits."""


async def estimate_rooms(pool: ProcessPool, blanks: Sequence[FieldPlacement]) -> Mapping[str, int]:
    """Returns about how many characters of plain text fit into the text fields of `blanks`, by field key.

    Fields into which the longest permitted text fits are left out; while the pool is busy, also unmeasured ones.
    """
    zones = {blank.field.key: blank.zone for blank in blanks if blank.field.kind in _KINDS}
    unknown = {_size_of(zone): zone for zone in zones.values() if _size_of(zone) not in _kept}
    if unknown:
        try:
            fits = await pool.run(check_text_fits, tuple(ZoneText(_SAMPLE, zone) for zone in unknown.values()))
        except (PoolBusy, ProcessDied) as error:
            log.warning("room of fields not estimated", error=type(error).__name__)
        else:
            if len(_kept) > _MAX_KEPT:
                _kept.clear()
            _kept.update(zip(unknown, (fit.room for fit in fits), strict=True))
    rooms = {key: _kept.get(_size_of(zone)) for key, zone in zones.items()}
    return {key: max(_ROUNDED, room - room % _ROUNDED) for key, room in rooms.items() if room is not None}


def _size_of(zone: Zone) -> _Size:
    return zone.type, zone.w, zone.h

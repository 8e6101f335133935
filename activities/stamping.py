"""The work that activities have done in child processes: putting what was submitted onto the pages.

The engine draws with PyMuPDF, which is not thread-safe and holds the interpreter lock. So it is imported inside the
function, which only children call, and only plain values cross over.
"""

from dataclasses import dataclass

from pydantic import TypeAdapter

from activities.orders import StampOrder
from adapters.sealing.port import Prepared
from adapters.sealing.preparing import prepare_seal
from layout.zones import Zone

_ZONES = TypeAdapter(tuple[Zone, ...])


@dataclass(frozen=True, slots=True)
class Stamped:
    """The signed PDF with room for its seal. `page_count` was found by opening it again."""

    prepared: Prepared
    page_count: int


def stamp_document(order: StampOrder, room: int) -> Stamped:
    """The PDF with every value, name, date and signature on it, and with room for a seal."""
    from activities.marks import marks_of  # noqa: PLC0415  # see above
    from layout.engine import page_count, stamp  # noqa: PLC0415  # see above

    pdf = stamp(order.pdf, marks_of(order, _ZONES.validate_json(order.zones)))
    return Stamped(prepared=prepare_seal(pdf, room), page_count=page_count(pdf))

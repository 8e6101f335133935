"""Putting what was submitted onto the pages.

The engine draws with PyMuPDF, which is not thread-safe and holds the interpreter lock. So it is imported inside the
function, which only child processes call, and only plain values cross over.
"""

from layout.zones.zone import ZONES
from stamping.stamp_job import StampOrder


def stamp_pages(order: StampOrder) -> bytes:
    """The PDF with every value, name, date and signature on it. Same order, same bytes."""
    from layout.engine import stamp  # noqa: PLC0415  # see above
    from stamping.zone_values import marks_of  # noqa: PLC0415  # see above

    return stamp(order.pdf, marks_of(order, ZONES.validate_json(order.zones)))

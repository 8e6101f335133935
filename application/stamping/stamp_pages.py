"""Draws submitted values onto the pages of a PDF, in a child process.

`application.stamping.zone_values` decides what each zone shows; `layout.zones.draw_values` draws it.

PyMuPDF is not thread-safe and holds the interpreter lock. So the engine is imported inside the function, which only
child processes call.
"""

from application.stamping.stamp_job import StampJob
from layout.zone import ZONES


def stamp_pages(job: StampJob) -> bytes:
    """Returns the PDF with all values, names, dates and signatures, and on each page a line about the signing.

    The same job gives the same bytes.
    """
    from application.stamping.zone_values import zone_values_of  # noqa: PLC0415  # see the docstring of the module
    from layout.engine import SigningRecord, stamp  # noqa: PLC0415  # as above

    values = zone_values_of(job, ZONES.validate_json(job.zones))
    return stamp(job.pdf, values, SigningRecord(job.session_id, job.verify_url))

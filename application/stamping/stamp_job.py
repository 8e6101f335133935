"""Draws submitted values onto the pages of a PDF, in a child process.

`application.stamping.zone_values` decides what each zone shows; `layout.zones.draw_values` draws it.

PyMuPDF is not thread-safe and holds the interpreter lock. So the engine is imported inside the function, which only
child processes call, and a job holds plain values, which can be pickled.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from domain.session.submission import SubmittedContent
from domain.shared.ids import FileId, SessionId
from layout.zones.zone import ZONES


@dataclass(frozen=True, slots=True)
class SignerSubmission:
    """A signer with the content of their submission. `signed_on` is the printed date."""

    name: str
    completed_at: datetime
    signed_on: date
    content: SubmittedContent


@dataclass(frozen=True, slots=True)
class StampJob:
    """One file: the PDF as sent, its zones (JSON), and the submissions by recipient key.

    `verify_url` is printed on each page.
    """

    session_id: SessionId
    file_id: FileId
    pdf: bytes
    zones: bytes
    signed: Mapping[str, SignerSubmission]
    verify_url: str


def stamp_pages(job: StampJob) -> bytes:
    """Returns the PDF with all values, names, dates and signatures, and on each page a line about the signing.

    The same job gives the same bytes.
    """
    from application.stamping.zone_values import zone_values_of  # noqa: PLC0415  # as above
    from layout.engine import SigningRecord, stamp  # noqa: PLC0415  # see the docstring of the module

    values = zone_values_of(job, ZONES.validate_json(job.zones))
    return stamp(job.pdf, values, SigningRecord(job.session_id, job.verify_url))

"""The work that activities have done in child processes: putting what was submitted onto the pages.

The engine draws with PyMuPDF, which is not thread-safe and holds the interpreter lock. So it is imported inside the
function, which only children call, and only plain values cross over.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from activities.interface import Signatory
from domain.fields import SubmittedContent
from domain.ids import FileId, SessionId
from layout.zones import Zone

_ZONES = TypeAdapter(tuple[Zone, ...])


@dataclass(frozen=True, slots=True)
class Signed:
    """A signatory with the content of their submission."""

    signatory: Signatory
    content: SubmittedContent


@dataclass(frozen=True, slots=True)
class StampOrder:
    """One file to be stamped: the PDF as sent, its zones (JSON), and everybody who signed, by recipient key."""

    session_id: SessionId
    file_id: FileId
    pdf: bytes
    zones: bytes
    signed: Mapping[str, Signed]


@dataclass(frozen=True, slots=True)
class Stamped:
    """The signed PDF. `page_count` was found by opening it again."""

    pdf: bytes
    page_count: int


def stamp_document(order: StampOrder) -> Stamped:
    """The PDF with every value, name, date and signature on it."""
    from activities.marks import marks_of  # noqa: PLC0415  # see above
    from layout.engine import page_count, stamp  # noqa: PLC0415  # see above

    pdf = stamp(order.pdf, marks_of(order, _ZONES.validate_json(order.zones)))
    return Stamped(pdf=pdf, page_count=page_count(pdf))

"""The work that activities have done in child processes: the stamped pages, with room for a seal."""

from dataclasses import dataclass

from domain.seal.statement import Statement
from pades.placeholder import prepare_seal
from ports.seals import PreparedPdf
from stamping.stamp_pdf import StampJob, stamp_pages


@dataclass(frozen=True, slots=True)
class Stamped:
    """The signed PDF with a placeholder for its seal. `page_count` was read from the result."""

    prepared: PreparedPdf
    page_count: int


def stamp_document(order: StampJob, room: int, statement: Statement) -> Stamped:
    """The PDF with every value, name, date and signature on it, and with room for a seal."""
    from layout.engine import page_count  # noqa: PLC0415  # PyMuPDF, which only child processes load

    pdf = stamp_pages(order)
    return Stamped(prepared=prepare_seal(pdf, room, statement), page_count=page_count(pdf))

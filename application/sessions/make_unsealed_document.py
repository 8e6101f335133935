"""The stamped PDF of a document, with a placeholder for its seal. Child processes load this module."""

from dataclasses import dataclass

from application.stamping.stamp_job import StampJob
from application.stamping.stamp_pages import stamp_pages
from domain.ports.seals import PreparedPdf
from domain.seal.seal import Statement
from pades.prepare_seal import prepare_seal


@dataclass(frozen=True, slots=True)
class UnsealedDocument:
    """The stamped PDF with a placeholder for its seal. `page_count` was read from it."""

    prepared: PreparedPdf
    page_count: int


def make_unsealed_document(order: StampJob, room: int, statement: Statement) -> UnsealedDocument:
    """Returns the stamped document with a placeholder of `room` bytes for the seal with this statement."""
    from layout.engine import page_count  # noqa: PLC0415  # PyMuPDF, which only child processes load

    pdf = stamp_pages(order)
    return UnsealedDocument(prepared=prepare_seal(pdf, room, statement), page_count=page_count(pdf))

"""Attached files as PDF/A-3 wants them. ISO 19005-3, 6.8; ISO 32000-2, 7.11.4 and 14.13."""

from datetime import UTC, datetime
from hashlib import md5
from io import BytesIO

import pikepdf
from pikepdf import Name

from layout.pdf.document_catalog import Attachment
from layout.reports.render_report import render_report
from layout.reports.report import Note, Report

FACTS = b'{"name":"\xc3\x9c"}'


def report(*attachments: Attachment) -> bytes:
    return render_report(Report("Title", "Subtitle", "Footer", (Note("Text"),), attachments))


def attachment(name: str = "facts.json") -> Attachment:
    return Attachment(name, "application/json", "The facts", FACTS, datetime(2026, 6, 12, 10, 30, tzinfo=UTC))


def test_it_is_a_file_of_the_document_that_has_name_type_size_checksum_and_time() -> None:
    with pikepdf.open(BytesIO(report(attachment()))) as pdf:
        (file,) = pdf.Root.AF
        assert pdf.attachments["facts.json"].obj == file
        assert pdf.attachments["facts.json"].get_file().read_bytes() == FACTS
        assert (file.AFRelationship, str(file.Desc)) == (Name.Data, "The facts")
        assert str(file.F) == str(file.UF) == "facts.json"
        assert file.EF.F.Subtype == Name("/application/json")
        assert file.EF.F.Params.Size == len(FACTS)
        assert bytes(file.EF.F.Params.CheckSum) == md5(FACTS, usedforsecurity=False).digest()
        assert str(file.EF.F.Params.ModDate) == "D:20260612103000Z"


def test_the_metadata_names_the_part_of_the_standard_that_allows_it() -> None:
    assert b"<pdfaid:part>3<" in report(attachment())
    assert b"<pdfaid:part>2<" in report()


def test_several_are_in_the_order_of_their_names_and_the_same_report_has_the_same_bytes() -> None:
    with pikepdf.open(BytesIO(report(attachment("b.json"), attachment("a.json")))) as pdf:
        assert list(pdf.attachments) == ["a.json", "b.json"]
    assert report(attachment()) == report(attachment())

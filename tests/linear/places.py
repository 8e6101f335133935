"""The places where a text enters, each with the work that the service does with it."""

import csv
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import StringIO
from typing import Any

from pydantic import ValidationError

from application.batches.read_csv import read_csv
from application.documents.render_jobs import ZoneText, check_text_fits, render_document, undrawable_names
from application.errors import InvalidBatch
from application.parse_json import exceeded_limit, find_json_fault
from application.read_entries import (
    InvalidEntry,
    read_email,
    read_language,
    read_line,
    read_origins,
    read_time_zone,
)
from application.schemas.session_create import EXAMPLE, SessionCreate
from application.validation_issues import issues_of
from domain.seal.seal import quotable
from domain.session.check_one_field import MAX_TEXT, check_input
from domain.session.fields import Field, FieldKind
from domain.session.list_query import casefolded
from domain.session.value_parsers import many_lines, one_line
from domain.shared.file_names import attachment, safe_file_name
from domain.shared.ids import FileId
from layout.reports.render_report import render_report
from layout.reports.report import Entry, Heading, Note, Report, Table
from layout.schema.block_document import BlockDocument
from layout.schema.field_names import slug
from layout.schema.placeholders import tokens_in
from layout.zone import Zone, ZoneType
from tests.application.batches.test_read_csv import TEMPLATE

ZONE = Zone(
    name="a", type=ZoneType.MULTILINE_TEXT, label="A", recipient="client", page=1, x=50, y=50, w=480, h=72,
    required=True, path="/blocks/0",
)  # fmt: skip
Work = Callable[[str], object]


def _document(*blocks: dict[str, object], **members: object) -> None:
    try:
        written = BlockDocument.model_validate({"format": "blocks", "title": "A", "blocks": blocks, **members})
    except ValidationError:
        return
    render_document(written, ["client"], {})


def _field(label: str, type_: str = "text", **members: object) -> dict[str, object]:
    return {"type": "field", "fieldType": type_, "label": label, "recipient": "client", **members}


def _paragraph(text: str) -> dict[str, object]:
    return {"type": "paragraph", "text": text}


def _parsed(change: Callable[[dict[str, Any]], object]) -> None:
    """Parses the body of a session with a change, and collects its issues."""
    members = json.loads(json.dumps(EXAMPLE))
    change(members)
    body = json.dumps(members).encode()
    if exceeded_limit(body) or find_json_fault(body):
        return
    try:
        SessionCreate.model_validate_json(body, strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        issues_of(error.errors(include_url=False, include_input=False), json.loads(body))


def _csv(text: str) -> None:
    written = StringIO(newline="")
    csv.writer(written).writerows([["address"], [text]])
    for file in (text, f"address\n{text}", written.getvalue()):
        with suppress(InvalidBatch):
            read_csv(file.encode(errors="replace"), TEMPLATE)
        with suppress(InvalidBatch):
            read_csv(file.encode("windows-1252", errors="replace"), TEMPLATE)


def _line(text: str) -> None:
    for read in (partial(read_line, most=200), read_email, read_time_zone, read_origins, read_language):
        with suppress(InvalidEntry):
            read(text)


def _entered(text: str) -> None:
    one_line(text)
    many_lines(text)
    for kind in FieldKind:
        field = Field(file_id=FileId(""), name="a", kind=kind, label="A", required=True, options=("a", "b"))
        check_input(field, [text])


def _report(text: str) -> None:
    row = ((Entry(text),), (Entry(text),))
    render_report(
        Report(text[:100], text[:100], "footer", (Heading("A"), Note(text), Table((1, 2), (row,), ("A", "B"))))
    )


def _pieces(text: str) -> None:
    _document(*[_paragraph(text[at : at + 200]) for at in range(0, len(text), 200)])


PLACES: dict[str, Work] = {
    "paragraph": lambda text: _document(_paragraph(text)),
    "paragraphs": _pieces,
    "list": lambda text: _document({"type": "bulletList", "items": [text, "b"]}),
    "label": lambda text: _document(_field(text)),
    "options": lambda text: _document(_field("A", "radio", options=[text, "b"])),
    "dropdown": lambda text: _document(_field("A", "dropdown", options=[text, "b"])),
    "placeholder": lambda text: _document(_field("A", placeholder=text)),
    "title": lambda text: _document(_paragraph("a"), title=text),
    "footer": lambda text: _document(_paragraph("a"), footerLabel=text),
    "page break": lambda text: _document({"type": "pageBreak", "header": {"title": text}}, _paragraph("a")),
    "recipient key": lambda text: _document(_field("A", recipient=text)),
    "body": lambda text: _parsed(lambda body: body.update({text: text, "name": text, "message": text})),
    "metadata": lambda text: _parsed(lambda body: body.update(metadata={"a": text, text: "a"}, externalId=text)),
    "recipient": lambda text: _parsed(lambda body: body["recipients"][0].update(name=text, email=text)),
    "raw body": lambda text: (exceeded_limit(text.encode()), find_json_fault(text.encode())),
    "CSV": _csv,
    "typed name": lambda text: casefolded(" ".join(text.split())),
    "printed name": lambda text: undrawable_names([text]),
    "value": _entered,
    "printed value": lambda text: check_text_fits([ZoneText(text, None)]),
    "placed value": lambda text: check_text_fits([ZoneText(text[:MAX_TEXT], ZONE)]),
    "tokens": tokens_in,
    "field name": slug,
    "file name": lambda text: (safe_file_name(text), attachment(text)),
    "quoted name": quotable,
    "entry": _line,
    "report": _report,
}
"""The work that the service does with a text, by the place where it enters."""

"""The places where a text enters, each with the work that the service does with it, and the longest text there."""

import csv
import json
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from typing import Any

from pydantic import ValidationError

from application.batches.read_csv import read_csv
from application.documents.render_jobs import ZoneText, check_text_fits, render_document, undrawable_names
from application.errors import ServiceError
from application.parse_json import exceeded_limit, find_json_fault
from application.validation_issues import issues_of
from domain.seal.seal import quotable
from domain.session.check_one_field import check_input
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
from schemas.session_create import EXAMPLE, SessionCreate
from tests.application.batches.test_read_csv import TEMPLATE

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
        with suppress(ServiceError):
            read_csv(file.encode(errors="replace"), TEMPLATE)


def _entered(text: str) -> None:
    one_line(text)
    many_lines(text)
    for kind in FieldKind:
        check_input(Field(FileId(""), "name", kind, "Label", required=True, options=("a", "b")), [text])


def _report(text: str) -> None:
    row = ((Entry(text),), (Entry(text),))
    render_report(
        Report(text[:100], text[:100], "footer", (Heading(text), Note(text), Table((1, 2), (row,), ("A", "B"))))
    )


PLACES: dict[str, tuple[Work, int]] = {
    "paragraph": (lambda text: _document(_paragraph(text)), 100_000),
    "paragraphs": (
        lambda text: _document(*[_paragraph(text[at : at + 200]) for at in range(0, len(text), 200)]),
        50_000,
    ),
    "list": (lambda text: _document({"type": "bulletList", "items": [text, "b"]}), 50_000),
    "label": (lambda text: _document(_field(text)), 50_000),
    "options": (lambda text: _document(_field("A", "radio", options=[text, "b"])), 50_000),
    "dropdown": (lambda text: _document(_field("A", "dropdown", options=[text, "b"])), 50_000),
    "placeholder": (lambda text: _document(_field("A", placeholder=text)), 50_000),
    "title": (lambda text: _document(_paragraph("a"), title=text), 50_000),
    "footer": (lambda text: _document(_paragraph("a"), footerLabel=text), 50_000),
    "page break": (lambda text: _document({"type": "pageBreak", "header": {"title": text}}, _paragraph("a")), 50_000),
    "recipient key": (lambda text: _document(_field("A", recipient=text)), 50_000),
    "body": (lambda text: _parsed(lambda body: body.update({text: text, "name": text, "message": text})), 100_000),
    "metadata": (
        lambda text: _parsed(lambda body: body.update(metadata={"a": text, text: "a"}, externalId=text)),
        100_000,
    ),
    "recipient": (lambda text: _parsed(lambda body: body["recipients"][0].update(name=text, email=text)), 100_000),
    "raw body": (lambda text: (exceeded_limit(text.encode()), find_json_fault(text.encode())), 100_000),
    "csv": (_csv, 100_000),
    "typed name": (lambda text: casefolded(" ".join(text.split())), 100_000),
    "names": (lambda text: undrawable_names([text]), 100_000),
    "value": (_entered, 100_000),
    "printed value": (lambda text: check_text_fits([ZoneText(text, None)]), 100_000),
    "tokens": (tokens_in, 100_000),
    "field name": (slug, 100_000),
    "file name": (lambda text: (safe_file_name(text), attachment(text)), 100_000),
    "quoted name": (quotable, 100_000),
    "report": (_report, 25_000),
}

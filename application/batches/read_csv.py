"""Reads the CSV file of a batch: a column for each variable and recipient, a line for each session."""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any, NamedTuple

from application.batches.content import CsvPlaces
from application.batches.csv_text import DELIMITERS, decode, delimiter_of, split_separator_line
from application.errors import InvalidBatch, RequestIssue
from application.near_names import near_name
from application.templates.substitute import parent_of
from domain.session.value_parsers import (
    NoSuchDate,
    parse_date,
    parse_number,
    read_entered_number,
    to_iso_date,
    with_ascii_digits,
)
from domain.shared.limits import MAX_BATCH_ROWS
from domain.templates.template import Template
from domain.templates.variables import VariableType

MAX_LINES = 2 * MAX_BATCH_ROWS
"""Maximum lines of a CSV file that are read; those without any value are not counted."""

MAX_COLUMNS = 200
"""Maximum columns of a CSV file: twice those that a template can have."""

_OWN_HEADS = {"session.name": "/name", "session.externalId": "/externalId"}
"""Columns about the session itself, with the pointer of their member in a row."""


_YEAR_FIRST = "YYYY-MM-DD"
_YEAR_LAST = ("DD/MM/YYYY", "MM/DD/YYYY")

_TEXT_FORMULA = re.compile(r'="((?:[^"]|"")*)"')
"""A text that Excel shows as it is written, such as `="0012"`."""

_MIDNIGHT = re.compile(r"[ T]00:00(:00(\.0{1,9})?)?$")
"""The time of a day that a program writes as a time."""

_END_OF_FILE = "\x1a"
"""Programs that keep to conventions of DOS end a file with it."""


class CsvTable(NamedTuple):
    """The rows of a CSV file as members of a request, their places, and the issues of the file."""

    rows: list[dict[str, Any]]
    places: CsvPlaces
    issues: list[RequestIssue]


def read_csv(file: bytes, template: Template) -> CsvTable:
    """Returns the rows of a CSV file with a line of heads: variables, `key.name` and `key.email` of recipients,
    `session.name` and `session.externalId`. Blank cells are left out.

    Raises `InvalidBatch` if the file cannot be read as CSV, or has no rows or too many.
    """
    lines = read_lines(file)
    _check_number(lines[1:])
    heads = _heads(lines[0][1], columns_of(template))
    pointers = _pointers(heads, template)
    dates, numbers = (
        {variable.name for variable in template.variables if variable.type is kind}
        for kind in (VariableType.DATE, VariableType.NUMBER)
    )
    issues = [*_head_issues(heads, template)]
    keys = list(dict.fromkeys(head.rpartition(".")[0] for head in heads if pointers.get(head, "").startswith("/recip")))
    rows = []
    for line, cells in lines[1:]:
        if len(cells) > len(heads):
            message = (
                f"The line has {len(cells)} cells, but the file has {len(heads)} columns. "
                "Quote cells that contain the separator."
            )
            issues.append(RequestIssue(f"line {line}", message))
        named = dict(zip(heads, cells, strict=False))
        for head in dates & named.keys():
            try:
                named[head] = _read_date(named[head])
            except _DateAmbiguous as error:
                issues.append(RequestIssue(f"line {line}, {head}", str(error)))
        named |= {head: _read_number(named[head]) for head in numbers & named.keys()}
        rows.append(_row(named, pointers, keys))
    places = CsvPlaces(
        lines=tuple(line for line, _ in lines[1:]), heads={pointer: head for head, pointer in pointers.items()}
    )
    return CsvTable(rows, places, issues)


def _heads(cells: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Returns the heads, as the columns of the template that differ in case, spaces, hyphens or underscores only."""
    ours: dict[str, list[str]] = {}
    for column in columns:
        ours.setdefault(_letters(column), []).append(column)
    heads = [cell.strip() for cell in cells]
    alike = ((head, ours.get(_letters(head), [])) for head in heads)
    return [found[0] if head not in columns and len(found) == 1 else head for head, found in alike]


def _letters(head: str) -> str:
    return re.sub(r"[\s_\u200b\u2060\ufeff-]", "", head).casefold()


def _read_number(cell: str) -> str:
    """Returns a number with a decimal comma with a decimal point; other cells unchanged."""
    readings = () if parse_number(cell) else read_entered_number(cell, "de")
    return readings[0] if len(readings) == 1 else cell


class _DateAmbiguous(ValueError):
    """A date may be read in two ways."""


def _read_date(cell: str) -> str:
    """Returns a date of a spreadsheet as `YYYY-MM-DD`; other cells unchanged. Raises `_DateAmbiguous`.

    Digits and separators are those that pages take.
    """
    text = _MIDNIGHT.sub("", with_ascii_digits(cell).strip())
    # Points stand behind the day in every country that writes them.
    formats = _YEAR_LAST[:1] if "." in text else _YEAR_LAST
    try:
        day = parse_date(_YEAR_FIRST, text)
        readings = [day] if day else [_to_iso(written, text) for written in formats]
    except NoSuchDate:
        return cell
    days = sorted({reading for reading in readings if reading})
    if len(days) > 1:
        raise _DateAmbiguous(f"“{cell.strip()}” may be {days[0]} or {days[1]}. Write the date in that form.")
    return days[0] if days else cell


def _to_iso(date_format: str, text: str) -> str | None:
    day = parse_date(date_format, text)
    return day and to_iso_date(date_format, day)


def read_lines(file: bytes) -> list[tuple[int, list[str]]]:
    """Returns the number of the first line and the cells of each row that is not blank, the heads first.

    Columns without a head and without values are left out. Raises `InvalidBatch` if the file cannot be read as CSV.
    """
    lines = list(_lines(decode(file).removesuffix(_END_OF_FILE)))
    if not lines:
        message = "The file is empty. Its first line holds the heads of its columns."
        raise InvalidBatch([RequestIssue("line 1", message)])
    width = len(lines[0][1])
    filled = {position for _, cells in lines for position in _filled(cells)}
    columns = [position for position in range(width) if position in filled]
    if len(columns) > MAX_COLUMNS:
        message = f"The file has {len(columns):,} columns. Keep those that the template has."
        raise InvalidBatch([RequestIssue("line 1", message)])
    return [(line, [*_at(columns, cells), *cells[width : _filled(cells)[-1] + 1]]) for line, cells in lines]


def _at(columns: Sequence[int], cells: Sequence[str]) -> list[str]:
    return [cells[position] for position in columns if position < len(cells)]


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    named, text_of_rows = split_separator_line(text)
    first = 1 if named is None else 2
    delimiter = named or delimiter_of(text_of_rows)
    has_spaces = f'{delimiter} "' in text_of_rows  # before quotes, as people type them
    source = StringIO(text_of_rows, newline="")
    rows = csv.reader(source, delimiter=delimiter, strict=True, skipinitialspace=has_spaces)
    line, kept = first, 0
    try:
        for cells in rows:
            if _filled(cells):
                kept += 1
                if kept > MAX_LINES:
                    message = f"The file has more than {MAX_LINES:,} lines. Split it into files of {MAX_BATCH_ROWS:,}."
                    raise InvalidBatch([RequestIssue(f"line {line}", message)])
                yield line, cells
            line = rows.line_num + first
    except csv.Error as error:
        message = f"The file cannot be read as CSV here: {error}. Save it as CSV again."
        raise InvalidBatch([RequestIssue(f"line {line}", message)]) from error


def _filled(cells: Sequence[str]) -> list[int]:
    """Returns the positions of the cells that are not blank."""
    return [position for position, cell in enumerate(cells) if cell.strip()]


def _check_number(rows: Sequence[tuple[int, list[str]]]) -> None:
    if not rows:
        message = "The file has no line below its heads. Add a line for each session."
        raise InvalidBatch([RequestIssue("line 2", message)])
    if len(rows) > MAX_BATCH_ROWS:
        message = f"The file has {len(rows):,} lines below its heads. Split it into files of {MAX_BATCH_ROWS:,}."
        raise InvalidBatch([RequestIssue(f"line {rows[MAX_BATCH_ROWS][0]}", message)])


def _pointers(heads: Sequence[str], template: Template) -> dict[str, str]:
    """Returns the pointer inside a row of each known column head."""
    variables = {variable.name for variable in template.variables}
    recipients = {recipient.key for recipient in template.recipients}
    named = list(dict.fromkeys(key for head in heads if (key := head.rpartition(".")[0]) in recipients))
    pointers: dict[str, str] = {}
    for head in heads:
        key, _, member = head.rpartition(".")
        if head in variables:
            pointers[head] = f"/variableValues/{head}"
        elif key in recipients and member in {"name", "email"}:
            pointers[head] = f"/recipients/{named.index(key)}/{member}"
        elif head in _OWN_HEADS:
            pointers[head] = _OWN_HEADS[head]
    return pointers


def _head_issues(heads: Sequence[str], template: Template) -> Iterator[RequestIssue]:
    pointers = _pointers(heads, template)
    for position, head in enumerate(heads):
        if head not in pointers:
            columns = columns_of(template)
            near = near_name(head, columns)
            advice = f"Perhaps “{near}” is meant. " if near else ""
            message = f"No variable or recipient of the template has this name. {advice}It has: {', '.join(columns)}."
            if len(heads) == 1 and any(one in head for one in DELIMITERS):
                message = (
                    "Each line of the file is one quoted cell. Remove the quotes around the lines, or import the file "
                    "into the spreadsheet with its columns and save it again."
                )
            yield RequestIssue(f"line 1, {head or f'column {position + 1}'}", message)
        elif head in heads[:position]:
            yield RequestIssue(f"line 1, {head}", "Another column has this head already. Remove one of them.")


def columns_of(template: Template) -> list[str]:
    """Returns the heads that a CSV file for `template` may have."""
    people = [f"{recipient.key}.{member}" for recipient in template.recipients for member in ("name", "email")]
    return [*people, *(variable.name for variable in template.variables), *_OWN_HEADS]


def _row(cells: dict[str, str], pointers: dict[str, str], keys: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"recipients": [{"key": key} for key in keys], "variableValues": {}}
    for head, written in cells.items():
        formula = _TEXT_FORMULA.fullmatch(written.strip())
        cell = formula[1].replace('""', '"') if formula else written
        if head in pointers and cell.strip():
            parent, last = parent_of(row, pointers[head])
            parent[last] = cell.strip() if pointers[head].startswith("/recip") else cell
    return row

"""How commands answer: a line or a table for people, JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]

JsonObject = Mapping[str, Any]
"""One thing as a JSON object."""


def print_result(members: JsonObject, *lines: str, as_json: bool) -> None:
    """Prints `members` for programs, or `lines` for people."""
    print(json.dumps(members, ensure_ascii=False) if as_json else "\n".join(lines))


def print_list(name: str, found: Sequence[JsonObject], columns: Mapping[str, str], *, as_json: bool) -> None:
    """Prints all of `found` under `name` for programs, or a table for people: heading by member."""
    rows = [tuple(columns.values()), *(tuple(_cell(one[member]) for member in columns) for one in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(columns))]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    print_result({name: list(found)}, *(lines if found else ["None yet."]), as_json=as_json)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return " ".join(str(part) for part in value) if isinstance(value, list) else str(value)

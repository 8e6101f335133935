"""Output of commands: lines and tables for people, JSON for programs, progress of long steps, and errors."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from time import monotonic
from typing import Annotated, Any

import typer
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.text import Text

from domain.shared.printable import printable
from domain.shared.times import rfc3339


class CommandFailed(Exception):
    """The command cannot continue. The message says what to do; `code` is the exit code."""

    code = 1


class InvalidInput(CommandFailed):
    """A setting, an argument, a file or a key cannot be used."""

    code = 2


class BackendUnavailable(CommandFailed):
    """The database, the object store or Temporal does not respond."""


class NotRunning(CommandFailed):
    """No service runs here."""


class DemoFailed(CommandFailed):
    """A step of the demonstration failed."""


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

JsonObject = Mapping[str, Any]


def print_result(members: JsonObject, *lines: str, as_json: bool) -> None:
    """Prints `members` as JSON, or `lines`."""
    shown = (printable(part) for line in lines for part in line.split("\n"))
    print(json.dumps(members, ensure_ascii=False) if as_json else "\n".join(shown))


def print_list(name: str, items: Iterable[JsonObject], columns: Mapping[str, str], *, as_json: bool) -> None:
    """Prints a JSON object with `items` under `name`, or a table; `columns` maps members to headings."""
    items = list(items)
    rows = [tuple(columns.values()), *(tuple(_cell(item[member]) for member in columns) for item in items)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(columns))]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    print_result({name: items}, *(lines if items else ["None yet."]), as_json=as_json)


def members_of(record: object, *fields: str) -> JsonObject:
    """Returns fields of a record as JSON members: names in camel case, times as texts, tuples as lists."""
    return {to_camel(field): _json_value(getattr(record, field)) for field in fields}


def _json_value(value: object) -> object:
    if isinstance(value, datetime):
        return rfc3339(value)
    return list(value) if isinstance(value, tuple) else value


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return printable(" ".join(str(part) for part in value) if isinstance(value, list) else str(value))


class Progress:
    """Prints a line for each completed step; readable without a terminal too."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)

    def say(self, line: str) -> None:
        self._print(Text(line))

    def warn(self, line: str) -> None:
        self._print(Text(line, style="yellow"))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Shows `name` on a terminal while the block runs, and then prints how long it took."""
        started_at = monotonic()
        with self.console.status(Text(f"{name} ...")):
            yield
        seconds = f"({monotonic() - started_at:.1f} s)"
        self._print(Text.assemble(("  ready  ", "green"), (f"{name} ", "default"), (seconds, "dim")))

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True)

"""`undersign layout`: block documents on this machine, without a service.

Exit codes: 0 all is well, 1 the document has issues, 2 it cannot be read or the command makes no sense.
"""

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from cli.errors import DirectoryNotUsable, DocumentNotReadable
from cli.images import Images, read_images
from layout.schema.document import BlockDocument

if TYPE_CHECKING:
    from layout.engine import Rendered

HAS_ISSUES = 1

app = typer.Typer(help="Block documents: lay them out, find what is wrong with them.", no_args_is_help=True)

Document = Annotated[Path, typer.Argument(help="A block document as JSON; - reads it from standard input.")]
Recipients = Annotated[
    list[str] | None,
    typer.Option(
        "--recipient", help="A recipient's key; may be repeated. When left out, every key is taken for known."
    ),
]


@app.command()
def render(
    document: Document,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the PDF goes.")],
    recipient: Recipients = None,
    image: Images = None,
    debug: Annotated[bool, typer.Option("--debug", help="Outline each frame with its block's JSON pointer.")] = False,
) -> None:
    """Lay a document out and write the PDF. With --debug it is written even where there are issues."""
    from layout import engine  # noqa: PLC0415  # its fonts take time to load, and other commands need none

    read = _read(document)
    made = (engine.outline if debug else engine.render)(read, recipient or _keys(read), read_images(image or ()))
    if made.pdf is not None:
        try:
            output.write_bytes(made.pdf)
        except OSError as error:
            raise DirectoryNotUsable(f"{output} cannot be written: {error.strerror}") from error
    print(_as_lines(made), end="", file=sys.stderr)
    _end(made)


@app.command()
def check(
    document: Document,
    recipient: Recipients = None,
    image: Images = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer as JSON.")] = False,
) -> None:
    """Print the issues of a document, one a line: page, place, kind, and what to do."""
    from layout import engine  # noqa: PLC0415  # see above

    read = _read(document)
    made = engine.check(read, recipient or _keys(read), read_images(image or ()))
    print(_as_json(made) if as_json else _as_lines(made), end="")
    _end(made)


def _read(path: Path) -> BlockDocument:
    try:
        contents = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise DocumentNotReadable(f"{path} cannot be read: {error.strerror}") from error
    try:
        return BlockDocument.model_validate_json(contents)
    except ValidationError as error:
        wrong = (f"/{'/'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors())
        raise DocumentNotReadable(f"{path} is no block document. {'; '.join(wrong)}") from error


def _keys(document: BlockDocument) -> Collection[str]:
    """Every key that `document` names."""
    return {bound.recipient for _, bound in document.bound()}


def _as_lines(made: "Rendered") -> str:
    issues = (f"page {issue.page}  {issue.path}  {issue.kind}  {issue.message}\n" for issue in made.issues)
    warnings = (f"warning  {warning.path}  {warning.kind}  {warning.message}\n" for warning in made.warnings)
    return "".join((*issues, *warnings))


def _as_json(made: "Rendered") -> str:
    issues = [
        {"kind": issue.kind, "page": issue.page, "message": issue.message, "snippet": issue.snippet, "path": issue.path}
        for issue in made.issues
    ]
    warnings = [{"kind": warning.kind, "message": warning.message, "path": warning.path} for warning in made.warnings]
    found = {"pageCount": made.page_count, "issues": issues, "warnings": warnings}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _end(made: "Rendered") -> None:
    if made.issues:
        raise typer.Exit(HAS_ISSUES)

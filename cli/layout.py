"""`undersign layout`: lays out block documents on this machine, without a service.

Exit codes: 0 no issues, 1 the document has issues, 2 it cannot be read or the command is invalid.
"""

import json
import sys
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from application.uploads.sanitize_image import ImageUnreadable, sanitize
from cli.output import AsJson, InvalidInput
from domain.shared.printable import printable
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile

if TYPE_CHECKING:
    from layout.engine import Rendered

HAS_ISSUES = 1

app = typer.Typer(help="Block documents: lay them out and list their issues.", no_args_is_help=True)

Document = Annotated[Path, typer.Argument(help="A block document as JSON; - reads standard input.")]
Recipients = Annotated[
    list[str] | None,
    typer.Option("--recipient", help="A recipient's key; may be repeated. Without it, every key is accepted."),
]
Images = Annotated[
    list[str] | None,
    typer.Option("--image", metavar="FILEID=FILE", help="An image that the document shows; may be repeated."),
]


@app.command()
def render(
    document: Document,
    output: Annotated[Path, typer.Option("--output", "-o", help="The PDF to write.")],
    recipient: Recipients = None,
    image: Images = None,
    debug: Annotated[bool, typer.Option("--debug", help="Outline each frame with its block's JSON pointer.")] = False,
) -> None:
    """Lay a document out and write the PDF. With --debug, it is written even if there are issues."""
    from layout import engine

    block_document = _read(document)
    layout = engine.outline if debug else engine.render
    images = dict(map(_read_image, image or ()))
    rendered = layout(block_document, recipient or _keys(block_document), images)
    if rendered.pdf is not None:
        try:
            output.write_bytes(rendered.pdf)
        except OSError as error:
            raise InvalidInput(f"{output} cannot be written: {error.strerror}") from error
    print(_as_lines(rendered), end="", file=sys.stderr)
    if rendered.issues:
        raise typer.Exit(HAS_ISSUES)


@app.command()
def check(document: Document, recipient: Recipients = None, image: Images = None, as_json: AsJson = False) -> None:
    """Print the issues of a document, one a line: page, place, kind, and what to do."""
    from layout import engine

    block_document = _read(document)
    images = dict(map(_read_image, image or ()))
    rendered = engine.check(block_document, recipient or _keys(block_document), images)
    print(_as_json(rendered) if as_json else _as_lines(rendered), end="")
    if rendered.issues:
        raise typer.Exit(HAS_ISSUES)


def _read(path: Path) -> BlockDocument:
    contents = sys.stdin.buffer.read() if str(path) == "-" else _read_bytes(path)
    try:
        return BlockDocument.model_validate_json(contents)
    except ValidationError as error:
        issues = (f"/{'/'.join(map(str, issue['loc']))}: {issue['msg']}" for issue in error.errors())
        raise InvalidInput(f"{path} is no block document. {'; '.join(issues)}") from error


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error


def _read_image(option: str) -> tuple[str, ImageFile]:
    """Returns a file id and its image, sanitised like uploads."""
    file_id, equals, name = option.partition("=")
    if not (file_id and equals and name):
        raise InvalidInput(f"--image {option} is not of the form FILEID=FILE")
    path = Path(name)
    try:
        cleaned = sanitize(_read_bytes(path))
    except ImageUnreadable as error:
        raise InvalidInput(f"{path}: {error}") from error
    return file_id, ImageFile(cleaned.content, cleaned.width, cleaned.height, path.name)


def _keys(document: BlockDocument) -> Collection[str]:
    return {bound.recipient for _, bound in document.bound()}


def _as_lines(rendered: "Rendered") -> str:
    issues = (f"page {issue.page}  {issue.path}  {issue.kind}  {issue.message}" for issue in rendered.issues)
    warnings = (f"warning  {warning.path}  {warning.kind}  {warning.message}" for warning in rendered.warnings)
    return "".join(f"{printable(line)}\n" for line in (*issues, *warnings))


def _as_json(rendered: "Rendered") -> str:
    members = {
        "pageCount": rendered.page_count,
        "issues": [asdict(issue) for issue in rendered.issues],
        "warnings": [asdict(warning) for warning in rendered.warnings],
    }
    return json.dumps(members, ensure_ascii=False, indent=2) + "\n"

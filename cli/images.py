"""Pictures for documents on the command line: files in the place of uploads, by the file ids of the document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from application.uploads.images.sanitize import ImageUnreadable, sanitize
from cli.errors import DocumentNotReadable
from layout.images import ImageFile

Images = Annotated[
    list[str] | None,
    typer.Option("--image", metavar="FILEID=FILE", help="A picture that the document shows; may be repeated."),
]


def read_images(given: Sequence[str]) -> Mapping[str, ImageFile]:
    """The pictures that options name, made sanitize as an upload is."""
    return dict(_read(option) for option in given)


def _read(option: str) -> tuple[str, ImageFile]:
    file_id, equals, name = option.partition("=")
    if not (file_id and equals and name):
        raise DocumentNotReadable(f"--image {option} is not of the form FILEID=FILE")
    path = Path(name)
    try:
        cleaned = sanitize(path.read_bytes())
    except OSError as error:
        raise DocumentNotReadable(f"{path} cannot be read: {error.strerror}") from error
    except ImageUnreadable as error:
        raise DocumentNotReadable(f"{path}: {error}") from error
    return file_id, ImageFile(cleaned.content, cleaned.width, cleaned.height, path.name)

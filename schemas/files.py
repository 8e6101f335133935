"""Uploads of PDFs (Specification 4.15)."""

from typing import Annotated, Literal

from pydantic import Field

from domain.shared.ids import FileId
from schemas.base import Shown


class FileUploaded(Shown):
    """An uploaded PDF."""

    file_id: Annotated[FileId, Field(description="by which `files` of a session name it")]
    file_name: Annotated[str, Field(description="with `.pdf` at its end")]
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: Annotated[int, Field(description="bytes of the file as it is kept")]
    page_count: int
    sha256: Annotated[str, Field(description="of the file as it is kept: that of what was sent, unless `rewritten`")]
    rewritten: Annotated[
        bool,
        Field(
            description="whether it was written anew, with the same content, because a seal could not be added to it"
        ),
    ]

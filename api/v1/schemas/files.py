"""Uploads of PDFs (contract 13)."""

from typing import Annotated, Literal, Self

from pydantic import Field

from adapters.database.port import UploadedFile
from api.v1.schemas.members import Shown
from domain.ids import FileId


class FileUploaded(Shown):
    """An uploaded PDF."""

    file_id: Annotated[FileId, Field(description="by which `files` of a session name it")]
    file_name: Annotated[str, Field(description="with `.pdf` at its end")]
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: Annotated[int, Field(description="bytes of the file, which is kept as it was uploaded")]
    page_count: int

    @classmethod
    def from_file(cls, file: UploadedFile) -> Self:
        return cls(
            file_id=file.file_id,
            file_name=file.file_name,
            size_bytes=file.content.size,
            page_count=file.page_count,
        )

"""Uploads in JSON (Specification 4.14, 4.15)."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from application.schemas.base import (
    FILE_NAME_RULE,
    NO_PATH,
    ONE_LINE,
    SHA256_EXAMPLE,
    FileUuid,
    RequestModel,
    ResponseModel,
)

_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""An image of one pixel."""

EXAMPLE: JsonDict = {"fileName": "logo.png", "data": _DOT}


class FileUpload(RequestModel):
    """A file in JSON. A form with one part `file` is accepted too."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    file_name: Annotated[str, Field(min_length=1, max_length=255), ONE_LINE, NO_PATH] = Field(
        description=f"Name of the file. {FILE_NAME_RULE}", examples=["Consulting agreement.pdf"]
    )
    data: str = Field(
        max_length=10_000_000,  # more than the body of any upload has
        description="The file in base64 (RFC 4648, section 4), without line breaks.",
    )


class UploadDeleted(ResponseModel):
    """A deleted upload, which documents can no longer name."""

    file_id: FileUuid
    deleted: Literal[True] = True


class FileUploaded(ResponseModel):
    """An uploaded PDF."""

    file_id: FileUuid = Field(description="Unique identifier of the file, for `files` of a session.")
    file_name: str = Field(description="Name of the file, ending in `.pdf`.", examples=["Consulting agreement.pdf"])
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: int = Field(description="Size of the stored file in bytes.")
    page_count: int = Field(description="Number of pages.", examples=[3])
    sha256: str = Field(description="SHA-256 of the stored file, in hexadecimal.", examples=[SHA256_EXAMPLE])
    rewritten: bool = Field(description="Whether the file was rewritten, as a seal could not be appended to it.")


class ImageRead(ResponseModel):
    """An uploaded image."""

    file_id: FileUuid = Field(description="Unique identifier of the image, for image blocks and logos.")
    file_name: str = Field(description="Name of the file.", examples=["logo.png"])
    file_type: str = Field(description="Media type of the content.", examples=["image/png"])
    width: int = Field(description="Width of the upright image in pixels.")
    height: int = Field(description="Height of the upright image in pixels.")
    size_bytes: int = Field(description="Size of the upload in bytes.")

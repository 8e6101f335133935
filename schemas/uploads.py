"""Uploads in JSON (Specification 4.14, 4.15)."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from domain.shared.ids import FileId
from schemas.base import FILE_NAME_RULE, NO_PATH, ONE_LINE, RequestModel, ResponseModel

_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""An image of one pixel."""

MAX_BASE64 = 10_000_000
"""Characters: more than the body of any upload has."""

EXAMPLE: JsonDict = {"fileName": "logo.png", "data": _DOT}


class FileUpload(RequestModel):
    """A file in JSON; a form with one part `file` is the other way."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    file_name: Annotated[str, Field(min_length=1, max_length=255, description=FILE_NAME_RULE), ONE_LINE, NO_PATH]
    data: Annotated[
        str, Field(max_length=MAX_BASE64, description="the file in base64 (RFC 4648, section 4), without line breaks")
    ]


class UploadDeleted(ResponseModel):
    """An upload that is gone. Documents cannot name it any more."""

    file_id: FileId
    deleted: Literal[True] = True


class FileUploaded(ResponseModel):
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


class ImageRead(ResponseModel):
    """An uploaded image."""

    file_id: Annotated[FileId, Field(description="by which image blocks and logos name it")]
    file_name: str
    file_type: Annotated[str, Field(description="what the bytes are", examples=["image/png"])]
    width: Annotated[int, Field(description="pixels, upright")]
    height: Annotated[int, Field(description="pixels, upright")]
    size_bytes: Annotated[int, Field(description="of the file as it was uploaded")]

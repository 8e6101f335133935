"""Uploads in JSON (Specification 4.14, 4.15)."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from domain.shared.ids import FileId
from schemas.base import FILE_NAME_RULE, NO_PATH, ONE_LINE, Requested, Shown

_DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""An image of one pixel."""

MAX_BASE64 = 10_000_000
"""Characters: more than the body of any upload has."""

EXAMPLE: JsonDict = {"fileName": "logo.png", "data": _DOT}


class FileUpload(Requested):
    """A file in JSON; a form with one part `file` is the other way."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    file_name: Annotated[str, Field(min_length=1, max_length=255, description=FILE_NAME_RULE), ONE_LINE, NO_PATH]
    data: Annotated[
        str, Field(max_length=MAX_BASE64, description="the file in base64 (RFC 4648, section 4), without line breaks")
    ]


class UploadDeleted(Shown):
    """An upload that is gone. Documents cannot name it any more."""

    file_id: FileId
    deleted: Literal[True] = True

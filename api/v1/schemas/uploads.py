"""Uploads in JSON (contract 13)."""

from typing import Annotated

from pydantic import ConfigDict, Field

from api.v1.schemas.members import NO_PATH, ONE_LINE, Requested


class FileUpload(Requested):
    """A file in JSON; a form with one part `file` is the other way."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"fileName": "logo.png", "data": "iVBORw0KGgo..."}]})

    file_name: Annotated[str, Field(min_length=1, max_length=255), ONE_LINE, NO_PATH]
    data: Annotated[str, Field(description="the file in base64 (RFC 4648, section 4)")]

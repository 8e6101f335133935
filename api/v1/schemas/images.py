"""Uploads of images (contract 13)."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field

from api.images.uploading import AcceptedImage
from api.v1.schemas.members import ONE_LINE, Requested, Shown
from domain.ids import FileId


class FileUpload(Requested):
    """A file in JSON; a form with one part `file` is the other way."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"fileName": "logo.png", "data": "iVBORw0KGgo..."}]})

    file_name: Annotated[str, Field(min_length=1, max_length=255), ONE_LINE]
    data: Annotated[str, Field(description="the file in base64 (RFC 4648, section 4)")]


class ImageRead(Shown):
    """An uploaded image."""

    file_id: Annotated[FileId, Field(description="by which image blocks and logos name it")]
    file_name: str
    file_type: Annotated[str, Field(description="what the bytes are", examples=["image/png"])]
    width: Annotated[int, Field(description="pixels, upright")]
    height: Annotated[int, Field(description="pixels, upright")]
    size_bytes: Annotated[int, Field(description="of the file as it was uploaded")]

    @classmethod
    def from_upload(cls, accepted: AcceptedImage) -> Self:
        return cls(
            file_id=accepted.kept.image_id,
            file_name=accepted.upload.file_name,
            file_type=accepted.cleaned.uploaded_type,
            width=accepted.kept.width,
            height=accepted.kept.height,
            size_bytes=len(accepted.upload.content),
        )

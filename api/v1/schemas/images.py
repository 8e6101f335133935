"""Uploads of images (Specification 4.14)."""

from typing import Annotated, Self

from pydantic import Field

from api.images.uploading import AcceptedImage
from api.v1.schemas.members import Shown
from domain.ids import FileId


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

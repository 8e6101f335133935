"""Uploads of images (Specification 4.14)."""

from typing import Annotated

from pydantic import Field

from domain.shared.ids import FileId
from schemas.base import Shown


class ImageRead(Shown):
    """An uploaded image."""

    file_id: Annotated[FileId, Field(description="by which image blocks and logos name it")]
    file_name: str
    file_type: Annotated[str, Field(description="what the bytes are", examples=["image/png"])]
    width: Annotated[int, Field(description="pixels, upright")]
    height: Annotated[int, Field(description="pixels, upright")]
    size_bytes: Annotated[int, Field(description="of the file as it was uploaded")]

"""Images of documents on the signing page, from the session's own copies."""

from dataclasses import dataclass
from typing import ClassVar

from fastapi import Response

from application.services import Services
from application.uploads.session_copies import CopiedImage, read_copied_images
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId, RecipientId
from layout.paging.geometry import CONTENT_WIDTH
from layout.schema.image_file import ImageFile, fit_logo
from web.signing.recipient_access import RecipientAccess

_PIXELS_A_POINT = 4 / 3  # CSS pixels, 96 to the inch; 72 points to the inch


@dataclass(frozen=True, slots=True)
class Frame:
    """The document and recipient of an image, and its layout: width in points, and alignment."""

    recipient_id: RecipientId
    file_id: FileId
    width: float | None
    align: str = "left"


@dataclass(frozen=True, slots=True)
class ImageView:
    """An image: its address, its name, and its size in CSS pixels."""

    kind: ClassVar[str] = "image"
    address: str
    name: str
    width: int
    height: int
    align: str


def view_image(image: CopiedImage, frame: Frame) -> ImageView:
    """Returns the view of an image block, as wide as in the PDF where there is room."""
    file = _file(image)
    return _view(image, frame, file.width_within(CONTENT_WIDTH, frame.width))


def view_logo(image: CopiedImage, frame: Frame) -> ImageView:
    return _view(image, frame, fit_logo(_file(image), frame.width).width)


def _view(image: CopiedImage, frame: Frame, width: float) -> ImageView:
    file = _file(image)
    return ImageView(
        address=f"/signing/{frame.recipient_id}/image/{frame.file_id}/{image.image_id}",
        name=file.name,
        width=round(width * _PIXELS_A_POINT),
        height=max(1, round(file.height_at(width) * _PIXELS_A_POINT)),
        align=frame.align,
    )


def _file(image: CopiedImage) -> ImageFile:
    """Returns the image without its content."""
    return ImageFile(b"", image.width, image.height, image.file_name)


async def document_image_response(
    services: Services, access: RecipientAccess, file_id: FileId, image_id: str
) -> Response:
    """Returns the image; raises `FileNotFound` if the document has no such image."""
    image = (await read_copied_images(services.objects, access.session.file(file_id))).get(image_id)
    if image is None:
        raise FileNotFound
    return Response(await services.objects.get(image.content), media_type=image.content_type)

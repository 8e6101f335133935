"""Pictures of documents on the signing page: the session's own copies, for whoever may see the document."""

from dataclasses import dataclass
from typing import ClassVar

from fastapi import Response

from application.services import Services
from application.uploads.images.session_images import KeptImage, kept_images
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId, RecipientId
from layout.paging.geometry import CONTENT_WIDTH
from layout.schema.image_file import ImageFile, fit_logo
from web.signing.recipient_access import RecipientAccess

_PIXELS_A_POINT = 4 / 3  # of style sheets: 96 to the inch, where paper has 72 points


@dataclass(frozen=True, slots=True)
class Frame:
    """Which document of whose cookie a picture belongs to, and how it is set there: width in points, and side."""

    recipient_id: RecipientId
    file_id: FileId
    width: float | None
    align: str = "left"


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture: from where, what it is called, and its size in pixels of style sheets."""

    kind: ClassVar[str] = "image"
    address: str
    name: str
    width: int
    height: int
    align: str


def view_image(image: KeptImage, frame: Frame) -> ImageView:
    """An image block, as wide as it is on paper where there is room."""
    file = _file(image)
    return _view(image, frame, file.width_within(CONTENT_WIDTH, frame.width))


def view_logo(image: KeptImage, frame: Frame) -> ImageView:
    return _view(image, frame, fit_logo(_file(image), frame.width).width)


def _view(image: KeptImage, frame: Frame, width: float) -> ImageView:
    file = _file(image)
    return ImageView(
        address=f"/signing/{frame.recipient_id}/image/{frame.file_id}/{image.image_id}",
        name=file.name,
        width=round(width * _PIXELS_A_POINT),
        height=max(1, round(file.height_at(width) * _PIXELS_A_POINT)),
        align=frame.align,
    )


def _file(image: KeptImage) -> ImageFile:
    """What is known of it without its content."""
    return ImageFile(b"", image.width, image.height, image.file_name)


async def document_image_response(
    services: Services, access: RecipientAccess, file_id: FileId, image_id: str
) -> Response:
    """The picture itself; raises `FileNotFound` for one that the document does not show."""
    image = (await kept_images(services.objects, access.session.file(file_id))).get(image_id)
    if image is None:
        raise FileNotFound
    return Response(await services.objects.get(image.content), media_type=image.content_type)

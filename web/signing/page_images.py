"""Images on the signing page: those within documents, and the exact pages of the files."""

from dataclasses import dataclass
from typing import ClassVar

from fastapi import Response

from application.documents.page_images import (
    PageImage,
    PageImageCache,
    PageImages,
    PendingSubmission,
    shows_values,
    version_of,
)
from application.services import Services
from application.sessions.download import verify_url
from application.uploads.session_copies import CopiedImage, read_copied_images
from domain.session.session import FileType, Session, SessionFile
from domain.shared.errors import FileNotFound
from domain.shared.ids import FileId
from layout.geometry import CONTENT_WIDTH
from layout.schema.image_file import ImageFile, fit_logo
from web.page_route import READ, page_router
from web.signing.recipient_access import InjectedVisit
from web.signing.resolve_link import RecipientAccess

router = page_router("/signing/{recipient_id}")
page_images = page_router("/signing/{recipient_id}", is_counted=False)

_PIXELS_A_POINT = 4 / 3  # CSS pixels, 96 to the inch; 72 points to the inch

_LIFETIME = 12 * 3600
"""Seconds that browsers cache an image: the lifetime of the cookies of recipients and of the app."""

_CACHE = PageImageCache()
"""One cache for recipients and the app."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The address of the page with an image, its document, its width in points (None by default), and its alignment."""

    address: str
    file_id: FileId
    width: float | None
    align: str = "left"


@dataclass(frozen=True, slots=True)
class ImageView:
    """An image: its address, its name, and its size in CSS pixels."""

    type: ClassVar[str] = "image"
    address: str
    name: str
    width: int
    height: int
    align: str


def view_image(image: CopiedImage, frame: Frame) -> ImageView:
    """Returns the view of an image block, as wide as in the PDF."""
    return _view_image(image, frame, _file(image).width_within(CONTENT_WIDTH, frame.width))


def view_logo(image: CopiedImage, frame: Frame) -> ImageView:
    return _view_image(image, frame, fit_logo(_file(image), frame.width).width)


def _view_image(image: CopiedImage, frame: Frame, width: float) -> ImageView:
    file = _file(image)
    return ImageView(
        address=f"{frame.address}/image/{frame.file_id}/{image.image_id}",
        name=file.name,
        width=round(width * _PIXELS_A_POINT),
        height=max(1, round(file.height_at(width) * _PIXELS_A_POINT)),
        align=frame.align,
    )


def _file(image: CopiedImage) -> ImageFile:
    return ImageFile(b"", image.width, image.height, image.file_name)


@router.api_route("/image/{file_id}/{image_id}", methods=READ)
async def document_image(visit: InjectedVisit, file_id: FileId, image_id: str) -> Response:
    """Returns an image within a document; raises `FileNotFound` if the document has no such image."""
    objects = visit.services.objects
    image = (await read_copied_images(objects, visit.session.file(file_id))).get(image_id)
    if image is None:
        raise FileNotFound
    return Response(await objects.get(image.content), media_type=image.content_type)


@dataclass(frozen=True, slots=True)
class PageImagesView:
    """One file with the address of each page's image. `is_uploaded`: a PDF for reference, without fields."""

    file_id: FileId
    title: str
    pages: tuple[str, ...]
    is_uploaded: bool


def view_page_images(access: RecipientAccess, about_to: PendingSubmission | None = None) -> tuple[PageImagesView, ...]:
    """Returns the files of the session in order; with `about_to`, as they would be stamped."""
    return tuple(_view_pages(access, file, about_to) for file in access.session.files)


def _view_pages(access: RecipientAccess, file: SessionFile, about_to: PendingSubmission | None) -> PageImagesView:
    version = image_version(access.session, file, about_to)
    base = f"{access.address}/{'review' if about_to else 'page'}/{file.file_id}"
    is_uploaded = file.type is FileType.UPLOADED_PDF
    return PageImagesView(
        file_id=file.file_id,
        title=file.file_name if is_uploaded else file.title,
        pages=tuple(f"{base}/{page}?version={version}" for page in range(1, (file.page_count or 0) + 1)),
        is_uploaded=is_uploaded,
    )


def image_version(session: Session, file: SessionFile, about_to: PendingSubmission | None) -> str:
    """Returns what stands in the address of a page's image: it differs if the visible content does."""
    return version_of(session, file, about_to)[-16:]


@page_images.api_route("/page/{file_id}/{number:int}", methods=READ)
async def page_image(visit: InjectedVisit, file_id: FileId, number: int) -> Response:
    return await page_image_response(visit.services, visit.session, file_id, number)


async def page_image_response(
    services: Services, session: Session, file_id: FileId, page: int, about_to: PendingSubmission | None = None
) -> Response:
    """Returns the image of a page of a file; with `about_to`, as it would be stamped. Raises `FileNotFound`."""
    file = session.file(file_id)
    address = verify_url(services.base_url)
    images = PageImages(services.objects, services.pool, services.quarantine, _CACHE, address)
    image = await images.draw(session, file, page, about_to)
    return image_response(image, is_personal=about_to is not None or shows_values(session, file))


def image_response(image: PageImage, *, is_personal: bool) -> Response:
    """Returns the image. Browsers cache it unless it shows entered values."""
    headers = {"Cache-Control": "no-store" if is_personal else f"private, max-age={_LIFETIME}, immutable"}
    if image.is_packed:
        headers["Content-Encoding"] = "gzip"
    return Response(image.content, media_type=image.media_type, headers=headers)

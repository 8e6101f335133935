"""Responses with images of pages, for recipients and for the app, with one cache for both."""

from fastapi import Response

from application.documents.page_images import PageImage, PageImageCache, PageImages, PendingSubmission, shows_values
from application.services import Services
from domain.session.session import Session
from domain.shared.ids import FileId

_LIFETIME = 12 * 3600
"""Seconds that browsers cache an image: the lifetime of the cookies of recipients and of the app."""

_KEPT = PageImageCache()


async def page_image_response(
    services: Services, session: Session, file_id: FileId, page: int, about_to: PendingSubmission | None = None
) -> Response:
    """Returns the image of one page of a file; with `about_to`, as signing now would stamp it.

    Raises:
        FileNotFound: the session has no such file, or the file no such page.
    """
    file = session.file(file_id)
    pictures = PageImages(services.objects, services.pool, services.quarantine, _KEPT)
    picture = await pictures.draw(session, file, page, about_to)
    return image_response(picture, is_personal=about_to is not None or shows_values(session, file))


def image_response(picture: PageImage, *, is_personal: bool) -> Response:
    """Returns the image. Browsers cache it unless it shows entered values."""
    headers = {"Cache-Control": "no-store" if is_personal else f"private, max-age={_LIFETIME}, immutable"}
    if picture.is_packed:
        headers["Content-Encoding"] = "gzip"
    return Response(picture.content, media_type=picture.media_type, headers=headers)

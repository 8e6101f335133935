"""Pictures of pages as answers to browsers: for recipients and for the app, drawn once for both."""

from fastapi import Response

from application.documents.page_images import AboutToSign, KeptPictures, PagePicture, PagePictures, shows_values
from application.services import Services
from domain.session.session import Session
from domain.shared.ids import FileId

_LIFETIME = 12 * 3600
"""Seconds for which a browser keeps a picture: as long as a cookie, and as a sign-in to the app."""

_KEPT = KeptPictures()


async def page_image_response(
    services: Services, session: Session, file_id: FileId, page: int, about_to: AboutToSign | None = None
) -> Response:
    """The picture of one page of a session's file, with what is about to be signed on it.

    Raises:
        FileNotFound: no such file in this session, or no such page.
    """
    file = session.file(file_id)
    pictures = PagePictures(services.objects, services.pool, services.quarantine, _KEPT)
    picture = await pictures.draw(session, file, page, about_to)
    return image_response(picture, is_personal=about_to is not None or shows_values(session, file))


def image_response(picture: PagePicture, *, is_personal: bool) -> Response:
    """Browsers keep the picture by its address, unless it shows what somebody filled in."""
    headers = {"Cache-Control": "no-store" if is_personal else f"private, max-age={_LIFETIME}, immutable"}
    if picture.is_packed:
        headers["Content-Encoding"] = "gzip"
    return Response(picture.content, media_type=picture.media_type, headers=headers)

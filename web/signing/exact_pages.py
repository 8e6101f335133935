"""The exact pages of a session on the signing page: where their pictures are."""

from dataclasses import dataclass

from application.documents.page_images import AboutToSign, version_of
from domain.session.session import FileType, SessionFile
from domain.shared.ids import FileId
from layout.paging.geometry import PAGE_HEIGHT, PAGE_WIDTH
from layout.zones.zone import Zone
from web.signing.recipient_access import RecipientAccess


@dataclass(frozen=True, slots=True)
class PageImagesView:
    """One file as pages: the address of each page's picture. `is_uploaded`: nobody fills anything in on it."""

    file_id: FileId
    title: str
    pages: tuple[str, ...]
    is_uploaded: bool


def view_page_images(access: RecipientAccess, about_to: AboutToSign | None = None) -> tuple[PageImagesView, ...]:
    """The files of the session in its order, with what is about to be signed on them."""
    return tuple(_view(access, file, about_to) for file in access.session.files)


def _view(access: RecipientAccess, file: SessionFile, about_to: AboutToSign | None) -> PageImagesView:
    version = version_of(access.session, file, about_to)[-16:]
    kind = "review" if about_to else "page"
    base = f"/signing/{access.recipient.recipient_id}/{kind}/{file.file_id}"
    is_uploaded = file.type is FileType.UPLOADED_PDF
    return PageImagesView(
        file_id=file.file_id,
        title=file.file_name if is_uploaded else file.title,
        pages=tuple(f"{base}/{page}?version={version}" for page in range(1, (file.page_count or 0) + 1)),
        is_uploaded=is_uploaded,
    )


def place_of(zone: Zone) -> str:
    """Where `zone` is, for the script of the pages: the page, then the rectangle in thousandths of its size."""
    return " ".join((str(zone.page), box_of(zone.x, zone.y, zone.w, zone.h)))


def box_of(x: float, y: float, w: float, h: float) -> str:
    """A rectangle in thousandths of a page's width and height."""
    return " ".join(f"{1000 * part:.2f}" for part in (x / PAGE_WIDTH, y / PAGE_HEIGHT, w / PAGE_WIDTH, h / PAGE_HEIGHT))

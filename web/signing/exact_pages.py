"""The exact pages of a session on the signing page, as images."""

from dataclasses import dataclass

from application.documents.page_images import PendingSubmission, version_of
from domain.session.session import FileType, SessionFile
from domain.shared.ids import FileId
from layout.paging.geometry import PAGE_HEIGHT, PAGE_WIDTH
from layout.zones.zone import Zone
from web.signing.recipient_access import RecipientAccess


@dataclass(frozen=True, slots=True)
class PageImagesView:
    """One file with the address of each page's image. `is_uploaded`: a PDF for reference, without fields."""

    file_id: FileId
    title: str
    pages: tuple[str, ...]
    is_uploaded: bool


def view_page_images(access: RecipientAccess, about_to: PendingSubmission | None = None) -> tuple[PageImagesView, ...]:
    """Returns the files of the session in order; with `about_to`, as signing now would stamp them."""
    return tuple(_view(access, file, about_to) for file in access.session.files)


def _view(access: RecipientAccess, file: SessionFile, about_to: PendingSubmission | None) -> PageImagesView:
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
    """Returns the page of `zone` and its rectangle in thousandths of the page size, for the script."""
    return " ".join((str(zone.page), box_of(zone.x, zone.y, zone.w, zone.h)))


def box_of(x: float, y: float, w: float, h: float) -> str:
    """Returns a rectangle in thousandths of the page's width and height."""
    return " ".join(f"{1000 * part:.2f}" for part in (x / PAGE_WIDTH, y / PAGE_HEIGHT, w / PAGE_WIDTH, h / PAGE_HEIGHT))

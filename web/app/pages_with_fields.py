"""The pages of a document in the app: images with an overlay of the fields and their recipients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from application.documents.page_images import version_of
from application.services import Services
from domain.session.recipients import RecipientStatus
from domain.session.session import Session, SessionFile
from layout.zone import ZONES, Zone, ZoneType

TONES = 6
"""Number of colours for recipients. They repeat from the seventh recipient on."""

_SIGNATURE_PARTS = frozenset({ZoneType.SIGNER_NAME, ZoneType.DATE_SIGNED})
"""Zones that are filled in automatically with a signature."""


@dataclass(frozen=True, slots=True)
class FieldOwner:
    """A recipient who fills in fields. `tone` is the number of the colour, from 1 to `TONES`."""

    name: str
    tone: int


@dataclass(frozen=True, slots=True)
class FieldOverlay:
    """A field on a page. `is_part`: it is filled in automatically with a signature."""

    zone: Zone
    owner: FieldOwner
    is_part: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """One page: its number (from 1), the address of its image, and its fields."""

    number: int
    address: str
    overlays: tuple[FieldOverlay, ...]


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """All pages of one document. `owners` are the recipients who fill in fields on them."""

    title: str
    key: str
    pages: tuple[PageView, ...]
    owners: tuple[FieldOwner, ...]

    @property
    def fields(self) -> tuple[tuple[int, FieldOverlay], ...]:
        """The fields that recipients fill in, in the order of the document, each with its page number."""
        return tuple((page.number, overlay) for page in self.pages for overlay in page.overlays if not overlay.is_part)


def build_document_pages(
    title: str, key: str, addresses: Sequence[str], zones: Sequence[Zone], names: Mapping[str, str]
) -> DocumentPages:
    """Returns the pages of a document: an image at each of `addresses`, with the fields of `zones`.

    `names` maps the key of each recipient to their name, in the order of the session.
    """
    owners = {key: FieldOwner(name, number % TONES + 1) for number, (key, name) in enumerate(names.items())}
    overlays = [
        FieldOverlay(zone, owners[zone.recipient], zone.type in _SIGNATURE_PARTS)
        for zone in zones
        if zone.recipient in owners
    ]
    pages = (
        PageView(number, address, tuple(overlay for overlay in overlays if overlay.zone.page == number))
        for number, address in enumerate(addresses, start=1)
    )
    owner_keys = {overlay.zone.recipient for overlay in overlays}
    return DocumentPages(title, key, tuple(pages), tuple(owner for key, owner in owners.items() if key in owner_keys))


def page_addresses(session: Session, file: SessionFile) -> Sequence[str]:
    """Returns the addresses of the images of all pages of a file."""
    version = version_of(session, file)[-16:]
    base = f"/app/sessions/{session.session_id}/pages/{file.file_id}"
    return [f"{base}/{number}?version={version}" for number in range(1, (file.page_count or 0) + 1)]


async def build_file_pages(services: Services, session: Session, file: SessionFile) -> DocumentPages:
    """Returns the pages of one file of a session, with the fields of recipients who have not signed yet."""
    zones = ZONES.validate_json(await services.objects.get(file.zones)) if file.zones else ()
    signed = {r.key for r in session.recipients if r.status is RecipientStatus.COMPLETED}
    names = {recipient.key: recipient.name or recipient.email for recipient in session.recipients}
    left = [zone for zone in zones if zone.recipient not in signed]
    return build_document_pages(file.file_name, file.file_id, page_addresses(session, file), left, names)

"""Pages of documents as pictures for browsers: made in child processes, kept a while by the hash of what they show.

Documents that the engine made become outlines (SVG), sharp at any size. Files that were uploaded are anybody's: they
are only ever drawn in the process with the tight limits, and only pixels (PNG) leave it.
"""

import gzip
from collections import OrderedDict
from dataclasses import replace
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from domain.seal.materials import Materials
from domain.session.fields import SubmittedContent
from domain.session.session import FileType, Session, SessionFile
from domain.shared.errors import FileNotFound
from domain.shared.object_names import ObjectReference, digest
from ports.object_store import ObjectStore
from ports.process_pool import PoolClosed, ProcessDied, ProcessPool
from stamping.stamp_pdf import SignerSubmission, StampJob, stamp_pages

_CAPACITY = 64 * 1024**2
"""Bytes that are kept."""

SMALL_WIDTH = 794
"""Pixels of a small picture of a page: 96 to the inch of A4, which can just be read."""

_FEW_COLOURS = 64

_NOT_DRAWN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><rect width="595" height="842" fill="#fff"/>'
    b'<g font-family="sans-serif" font-size="15" fill="#333" text-anchor="middle">'
    b'<text x="297" y="400">This page cannot be shown here.</text>'
    b'<text x="297" y="424">Open the PDF itself to read it.</text></g></svg>'
)
"""In place of a page of a stranger's file that takes more time or memory to draw than it may."""


class PagePicture(NamedTuple):
    """A page. `content` is packed with gzip where `is_packed` says so."""

    content: bytes
    media_type: str
    is_packed: bool


class AboutToSign(NamedTuple):
    """What a recipient has filled in and looks at before signing. `sha256` is the hash of what is shown of it."""

    key: str
    signed: SignerSubmission
    sha256: str


class PagePictures:
    """Makes pictures of pages. `pool` is for documents of ours, `quarantine` for files of strangers."""

    def __init__(self, objects: ObjectStore, pool: ProcessPool, quarantine: ProcessPool, kept: "KeptPictures") -> None:
        self._objects = objects
        self._pool = pool
        self._quarantine = quarantine
        self._kept = kept

    async def draw(
        self, session: Session, file: SessionFile, page: int, about_to: "AboutToSign | None" = None
    ) -> PagePicture:
        """Page `page` (from 1) with all that has been signed so far on it, and what is about to be.

        Raises:
            FileNotFound: the file has no such page.
        """
        if not 1 <= page <= (file.page_count or 0):
            raise FileNotFound
        key = f"{version_of(session, file, about_to)}/{page}"
        content = self._kept.find(key)
        is_ours = file.type is FileType.BLOCKS
        if content is None:
            pdf = await self._pdf(session, file, about_to)
            if is_ours:
                content = await self._pool.run(packed_svg, pdf, page)
            else:
                content = await self._draw_in_quarantine(pdf, page, file)
            self._kept.keep(key, content)
        is_drawn = content is not _NOT_DRAWN
        return PagePicture(content, "image/png" if is_drawn and not is_ours else "image/svg+xml", is_packed=is_ours)

    async def _draw_in_quarantine(self, pdf: bytes, page: int, file: SessionFile) -> bytes:
        """The page as pixels, or the picture that stands for pages like that. A file that ended a process is not opened
        again for any of its pages, so that no visitor holds up those of others.
        """
        ended = f"{file.rendered.sha256} ended a process"
        if self._kept.find(ended) is not None:
            return _NOT_DRAWN
        try:
            return await self._quarantine.run(picture_of_page, pdf, page) or _NOT_DRAWN
        except PoolClosed:
            raise
        except ProcessDied:
            self._kept.keep(ended, b"1")
            return _NOT_DRAWN

    async def _pdf(self, session: Session, file: SessionFile, about_to: "AboutToSign | None") -> bytes:
        sent = await self._objects.get(file.rendered)
        if file.zones is None or (not _is_signed(session) and about_to is None):
            return sent
        key = version_of(session, file, about_to)
        stamped = self._kept.find(key)
        if stamped is None:
            order = await self._order(session, file, sent, file.zones)
            if about_to is not None:
                order = replace(order, signed={**order.signed, about_to.key: about_to.signed})
            stamped = await self._pool.run(stamp_pages, order)
            self._kept.keep(key, stamped)
        return stamped

    async def _order(self, session: Session, file: SessionFile, pdf: bytes, zones: ObjectReference) -> StampJob:
        signed = {}
        for one in Materials.of(session, file).signatories:
            content = SubmittedContent.model_validate_json(await self._objects.get(one.submission))
            signed[one.key] = SignerSubmission(one.name, one.completed_at, one.date_signed, content)
        return StampJob(
            session_id=session.session_id,
            file_id=file.file_id,
            pdf=pdf,
            zones=await self._objects.get(zones),
            signed=signed,
        )


class KeptPictures:
    """What was drawn last, up to `capacity` bytes."""

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def find(self, key: str) -> bytes | None:
        content = self._kept.get(key)
        if content is not None:
            self._kept.move_to_end(key)
        return content

    def keep(self, key: str, content: bytes) -> None:
        self._size += len(content) - len(self._kept.pop(key, b""))
        self._kept[key] = content
        while self._size > self._capacity:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)


def version_of(session: Session, file: SessionFile, about_to: AboutToSign | None = None) -> str:
    """What the pages of `file` show now: the hash of the PDF, or of all that it and what is signed on it are made from.

    Pages on which nothing is signed are the same in all sessions. A signature shows names, times and the session too.
    """
    if file.zones is None or (about_to is None and not _is_signed(session)):
        return file.rendered.sha256
    materials = Materials.of(session, file).sha256
    return materials if about_to is None else digest(f"{materials}-{about_to.sha256}".encode())


def shows_values(session: Session, file: SessionFile) -> bool:
    """Whether the pages show what somebody filled in."""
    return file.zones is not None and _is_signed(session)


def _is_signed(session: Session) -> bool:
    return any(person.submission is not None for person in session.recipients)


def packed_svg(pdf: bytes, page: int) -> bytes:
    """Runs in a child process."""
    from layout.pdf.page_images import page_svg  # noqa: PLC0415  # PyMuPDF stays out of the process that answers

    return gzip.compress(page_svg(pdf, page), 6, mtime=0)


def small_pictures(pdf: bytes, pages: range) -> tuple[bytes, ...]:
    """Small pictures (PNG) of these pages (from 1) of a document that the engine made. Runs in a child process."""
    from layout.pdf.page_images import page_png  # noqa: PLC0415  # see above

    return tuple(_with_few_colours(page_png(pdf, page, SMALL_WIDTH)) for page in pages)


def _with_few_colours(png: bytes) -> bytes:
    """A third of the size, and as easy to read. Photographs lose a little."""
    packed = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        picture.quantize(_FEW_COLOURS).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def picture_of_page(pdf: bytes, page: int) -> bytes:
    """Runs in a child process. Nothing if the page cannot be drawn."""
    from layout.pdf.page_images import NotDrawable, page_png  # noqa: PLC0415  # see above

    try:
        return page_png(pdf, page)
    except NotDrawable:
        return b""

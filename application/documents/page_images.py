"""Page images for browsers, rendered in child processes and cached by a hash of their content.

Block documents are rendered as SVG. Uploaded files are untrusted: the pool with strict limits renders them as PNG.
"""

import gzip
from collections import OrderedDict
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from application.stamping.stamp_job import SignerSubmission, StampJob
from application.stamping.stamp_pages import stamp_pages
from domain.ports.object_store import ObjectStore
from domain.ports.process_pool import PoolClosed, ProcessDied, ProcessPool, lower_priority
from domain.session.materials import Materials
from domain.session.session import FileType, Session, SessionFile
from domain.session.submission import SubmittedContent
from domain.shared.errors import FileNotFound
from domain.shared.object_names import digest

_CAPACITY = 64 * 1024**2
"""Maximum bytes of the cache."""

SMALL_WIDTH = 794
"""Width of a thumbnail in pixels: A4 at 96 dpi, the smallest readable size."""

_FEW_COLOURS = 64

_NOT_DRAWN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595 842"><rect width="595" height="842" fill="#fff"/>'
    b'<g font-family="sans-serif" font-size="15" fill="#333" text-anchor="middle">'
    b'<text x="297" y="400">This page cannot be shown here.</text>'
    b'<text x="297" y="424">Open the PDF itself to read it.</text></g></svg>'
)
"""The placeholder for a page of an uploaded file that exceeds the time or memory limit, or cannot be rendered."""


class PageImage(NamedTuple):
    """The image of a page. `is_packed`: `content` is compressed with gzip."""

    content: bytes
    media_type: str
    is_packed: bool


class PendingSubmission(NamedTuple):
    """The form input that a recipient reviews. `sha256` is the hash of its visible part."""

    key: str
    signed: SignerSubmission
    sha256: str


class PageImages:
    """Renders page images of block documents in `pool`, and of uploaded files in `quarantine`."""

    def __init__(
        self,
        objects: ObjectStore,
        pool: ProcessPool,
        quarantine: ProcessPool,
        cache: "PageImageCache",
        verify_url: str,
    ) -> None:
        self._objects = objects
        self._pool = pool
        self._quarantine = quarantine
        self._cache = cache
        self._verify_url = verify_url

    async def draw(
        self, session: Session, file: SessionFile, page: int, about_to: PendingSubmission | None = None
    ) -> PageImage:
        """Returns the image of page `page` (from 1) with all signatures and the input `about_to`.

        Raises `FileNotFound`.
        """
        if not 1 <= page <= (file.page_count or 0):
            raise FileNotFound
        key = f"{version_of(session, file, about_to)}/{page}"
        content = self._cache.find(key)
        is_svg = file.type is FileType.BLOCKS
        if content is None:
            pdf = await self._pdf(session, file, about_to)
            lower_priority()
            drawing = self._pool.run(page_svg_gz, pdf, page) if is_svg else self._draw_in_quarantine(pdf, page, file)
            content = await drawing
            self._cache.keep(key, content)
        is_png = not is_svg and content is not _NOT_DRAWN
        return PageImage(content, "image/png" if is_png else "image/svg+xml", is_packed=is_svg)

    async def _draw_in_quarantine(self, pdf: bytes, page: int, file: SessionFile) -> bytes:
        """Returns the page as PNG, or the placeholder. A file that ended a process is not opened again."""
        ended = f"{file.rendered.sha256} ended a process"
        if self._cache.find(ended) is not None:
            return _NOT_DRAWN
        try:
            return await self._quarantine.run(uploaded_page_png, pdf, page) or _NOT_DRAWN
        except PoolClosed:
            raise
        except ProcessDied:
            self._cache.keep(ended, b"1")
            return _NOT_DRAWN

    async def _pdf(self, session: Session, file: SessionFile, about_to: PendingSubmission | None) -> bytes:
        sent = await self._objects.get(file.rendered)
        if file.zones is None or (not _is_signed(session) and about_to is None):
            return sent
        key = version_of(session, file, about_to)
        stamped = self._cache.find(key)
        if stamped is None:
            signed = {}
            for one in Materials.of(session, file).signatories:
                content = SubmittedContent.model_validate_json(await self._objects.get(one.submission))
                signed[one.key] = SignerSubmission(one.name, one.completed_at, one.date_signed, content)
            if about_to is not None:
                signed[about_to.key] = about_to.signed
            job = StampJob(
                session_id=session.session_id,
                file_id=file.file_id,
                pdf=sent,
                zones=await self._objects.get(file.zones),
                signed=signed,
                verify_url=self._verify_url,
            )
            stamped = await self._pool.run(stamp_pages, job)
            self._cache.keep(key, stamped)
        return stamped


class PageImageCache:
    """An LRU cache of images."""

    def __init__(self) -> None:
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
        while self._size > _CAPACITY:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)


def version_of(session: Session, file: SessionFile, about_to: PendingSubmission | None = None) -> str:
    """Returns a hash of the visible content of `file`: of its PDF, or of the materials if a recipient has signed."""
    if file.zones is None or (about_to is None and not _is_signed(session)):
        return file.rendered.sha256
    materials = Materials.of(session, file).sha256
    return materials if about_to is None else digest(f"{materials}-{about_to.sha256}".encode())


def shows_values(session: Session, file: SessionFile) -> bool:
    """Returns whether the pages show values that recipients entered."""
    return file.zones is not None and _is_signed(session)


def _is_signed(session: Session) -> bool:
    return any(person.submission is not None for person in session.recipients)


def page_svg_gz(pdf: bytes, page: int) -> bytes:
    """Returns page `page` (from 1) as SVG, compressed with gzip. Runs in a child process."""
    from layout.pdf.draw_page_images import page_svg  # noqa: PLC0415  # only child processes may load PyMuPDF

    return gzip.compress(page_svg(pdf, page), 6, mtime=0)


def page_thumbnails(pdf: bytes, pages: range) -> tuple[bytes, ...]:
    """Returns PNG thumbnails of the `pages` (from 1) of a block document. Runs in a child process."""
    from layout.pdf.draw_page_images import page_png  # noqa: PLC0415  # see above

    return tuple(_with_few_colours(page_png(pdf, page, SMALL_WIDTH)) for page in pages)


def _with_few_colours(png: bytes) -> bytes:
    """Returns the image with fewer colours: a third of the bytes, equally readable."""
    packed = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        picture.quantize(_FEW_COLOURS).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def uploaded_page_png(pdf: bytes, page: int) -> bytes:
    """Returns page `page` (from 1) as PNG; empty bytes if it cannot be rendered. Runs in a child process."""
    from layout.pdf.draw_page_images import NotDrawable, page_png  # noqa: PLC0415  # see above

    try:
        return page_png(pdf, page)
    except NotDrawable:
        return b""

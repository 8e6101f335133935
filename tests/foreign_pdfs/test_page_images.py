"""Pages of strangers' files as pictures: drawn in quarantine, and what cannot be drawn holds nobody up."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from adapters.processes.job_limits import UNTRUSTED_FILES, JobLimits
from adapters.processes.pool import ForkServerPool
from application.documents.page_images import PageImageCache, PageImages, uploaded_page_png
from domain.ports.process_pool import PoolClosed, ProcessDied
from domain.session.session import FileType, Session, SessionFile
from domain.shared.ids import FileId
from tests.application.uploads import pdfs
from tests.builders import VERIFY_URL, created, identifier
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.processes import InlinePool
from tests.foreign_pdfs.hostile_samples import ALLOWED_ATTRIBUTES
from tests.foreign_pdfs.pdf_builder import file as file_of
from tests.foreign_pdfs.unusual import UNUSUAL, unusual_pdf

pytestmark = pytest.mark.foreign_pdfs

TOO_MUCH = ALLOWED_ATTRIBUTES["drawings in drawings"]
BROKEN = file_of(drawing=b"q " * 10_000 + b"\xff\xfe BT (")


@pytest.fixture(scope="module")
async def quarantine() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(1, limits=UNTRUSTED_FILES, warm_modules=("layout.pdf.draw_page_images",))
    yield pool
    await pool.close()


@pytest.fixture
async def impatient() -> AsyncIterator[ForkServerPool]:
    limits = JobLimits(seconds=4, memory=UNTRUSTED_FILES.memory)
    pool = ForkServerPool(1, limits=limits, warm_modules=("layout.pdf.draw_page_images",))
    yield pool
    await pool.close()


class Breaking(InlinePool):
    """Every piece of work ends its process, or finds the pool closed."""

    def __init__(self, error: type[Exception] = ProcessDied) -> None:
        self.asked = 0
        self._error = error

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.asked += 1
        raise self._error


class Shelf:
    """A session with one uploaded file, whose pages are drawn by `pool`."""

    def __init__(self, pool: Any) -> None:
        self.objects = MemoryObjectStore()
        self.pictures = PageImages(self.objects, InlinePool(), pool, PageImageCache(), VERIFY_URL)

    async def put(self, content: bytes, pages: int = 1) -> tuple[Session, SessionFile]:
        stored = await self.objects.put("terms.pdf", content, "application/pdf")
        file = SessionFile(
            type=FileType.UPLOADED_PDF, file_id=FileId(identifier("terms")), file_name="Terms.pdf", title="Terms",
            page_count=pages, rendered=stored,
        )  # fmt: skip
        return created().session.model_copy(update={"files": (file,)}), file


async def test_the_first_page_of_every_odd_file_can_be_drawn(quarantine: ForkServerPool) -> None:
    drawn = {name: (await quarantine.run(uploaded_page_png, unusual_pdf(name), 1))[:4] for name in UNUSUAL}
    assert drawn == dict.fromkeys(UNUSUAL, b"\x89PNG")


async def test_a_page_that_takes_for_ever_is_replaced_by_words_and_the_next_file_is_drawn(
    impatient: ForkServerPool,
) -> None:
    shelf = Shelf(impatient)
    endless = await shelf.pictures.draw(*await shelf.put(TOO_MUCH()), page=1)
    assert (endless.media_type, endless.is_packed) == ("image/svg+xml", False)
    assert b"This page cannot be shown here." in endless.content
    assert (await impatient.run(uploaded_page_png, pdfs.pdf(), 1)).startswith(b"\x89PNG")


async def test_a_file_that_ended_a_process_is_not_opened_again_for_any_page() -> None:
    pool = Breaking()
    shelf = Shelf(pool)
    held = await shelf.put(pdfs.of_pages(3), pages=3)
    shown = [await shelf.pictures.draw(*held, page=page) for page in (1, 2, 3, 1)]
    assert pool.asked == 1
    assert {picture.media_type for picture in shown} == {"image/svg+xml"}


async def test_a_service_that_is_ending_says_so_rather_than_blame_the_file() -> None:
    shelf = Shelf(Breaking(PoolClosed))
    with pytest.raises(PoolClosed):
        await shelf.pictures.draw(*await shelf.put(pdfs.pdf()), page=1)


async def test_a_file_that_is_no_pdf_any_more_is_replaced_by_words() -> None:
    shelf = Shelf(InlinePool())
    picture = await shelf.pictures.draw(*await shelf.put(b"no PDF"), page=1)
    assert picture.media_type == "image/svg+xml"


async def test_contents_that_nobody_can_read_are_replaced_by_words(quarantine: ForkServerPool) -> None:
    shelf = Shelf(quarantine)
    picture = await shelf.pictures.draw(*await shelf.put(BROKEN), page=1)
    assert picture.media_type == "image/svg+xml"

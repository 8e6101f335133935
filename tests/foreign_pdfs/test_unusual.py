"""Odd PDFs come out of uploading and sealing as they went in, and validly sealed."""

import subprocess
from collections.abc import AsyncIterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from adapters.processes.pool import ForkServerPool
from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from domain.seal.seal import SealLevel
from tests.api.service import Service
from tests.application.uploads.pdfs import stream
from tests.fakes.seals import SEALER, seal
from tests.foreign_pdfs.pdf_builder import file, hybrid, hybrid_in_two_parts
from tests.foreign_pdfs.unusual import MADE_PLAIN, UNUSUAL, drawn_by_readers, unusual_pdf
from tests.layout.reading import check as check_by_qpdf
from tests.layout.reading import pdfsig
from tests.programs import program

pytestmark = pytest.mark.foreign_pdfs


@pytest.fixture(scope="module")
async def pool() -> AsyncIterator[ForkServerPool]:
    pool = ForkServerPool(1, warm_modules=("layout.pdf.pymupdf_file",))
    yield pool
    await pool.close()


ROUNDING = 3
"""Shades, of 255, by which poppler draws a font differently whose glyphs have no instructions."""


def greatest_difference(one: bytes, other: bytes) -> int:
    """Returns by how many shades two pictures of the same size differ at most."""
    difference = ImageChops.difference(*(Image.open(BytesIO(picture)).convert("RGB") for picture in (one, other)))
    return max(high for _, high in difference.getextrema())


@pytest.mark.poppler
@pytest.mark.parametrize("name", UNUSUAL)
async def test_it_looks_the_same_after_sealing_and_others_find_it_sound_and_sealed(
    name: str, pool: ForkServerPool, tmp_path: Path
) -> None:
    uploaded = unusual_pdf(name)
    rewritten = validate_pdf(uploaded).rewritten
    stored = rewritten or uploaded

    sealed = await seal(stored, SEALER)

    result = pdfsig(sealed.pdf, tmp_path)
    assert sealed.pdf.startswith(stored)
    assert sealed.level is SealLevel.B_B
    check_by_qpdf(sealed.pdf)
    assert result.count("Signature is Valid.") == result.count("Total document signed") == 1
    shown = stored if name in MADE_PLAIN else uploaded
    pictures = zip(await render_first_page(sealed.pdf, pool), await render_first_page(shown, pool), strict=True)
    assert all(greatest_difference(one, other) <= ROUNDING for one, other in pictures)


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_written_anew_is_of_one_revision_the_same_each_time_and_then_stays(name: str) -> None:
    once, again = validate_pdf(unusual_pdf(name)).rewritten, validate_pdf(unusual_pdf(name)).rewritten
    assert once
    assert once == again
    assert once.count(b"startxref") == 1
    assert b"/Linearized" not in once
    assert validate_pdf(once).rewritten is None


def test_what_is_written_anew_hides_nothing_from_old_readers() -> None:
    rewritten = validate_pdf(hybrid_in_two_parts()).rewritten
    assert rewritten
    assert b"/XRefStm" not in rewritten


def test_a_font_that_is_hidden_from_old_readers_is_missed() -> None:
    with pytest.raises(PdfRefused, match="fonts or colours that it does not have"):
        validate_pdf(hybrid())


@pytest.mark.poppler
async def test_the_fields_of_a_form_become_a_part_of_the_page(pool: ForkServerPool) -> None:
    drawn, bare = validate_pdf(drawn_by_readers()).rewritten, validate_pdf(file()).rewritten
    assert drawn
    assert bare
    assert b"/AcroForm" not in drawn
    assert await render_first_page(drawn, pool) != await render_first_page(bare, pool)


async def test_metadata_stays_as_it_was_written() -> None:
    about = b'<?xpacket begin=""?><x/>'
    pdf = file(catalog=b"/Metadata 6 0 R", _6=stream(about, b"/Type /Metadata /Subtype /XML"))
    stored = validate_pdf(pdf).rewritten
    assert stored
    sealed = await seal(stored, SEALER)
    assert sealed.pdf.count(b"/Type /Metadata") == sealed.pdf.count(about) == 1


_LARGE_PIXELS = {"a photograph of another kind"}
"""A picture of eight pixels that fills half a page. MuPDF blurs it, and PDFium does not (decision 0040)."""

_LEFT_OUT = {"2,000 pages in one list", "500 pages in a deep tree", "for old and new readers"}
"""Files that take minutes to compare, and one that keeps its font from qpdf."""


async def test_all_of_them_are_taken_as_uploads(service: Service) -> None:
    taken: dict[str, int] = {}
    async with service.http() as http:
        for name in set(UNUSUAL) - _LEFT_OUT:
            answer = await http.post("/api/v1/File", files={"file": (f"{name}.pdf", unusual_pdf(name))})
            taken[name] = answer.status_code
    assert len(UNUSUAL) > 60
    assert {name for name, status in taken.items() if status != HTTPStatus.OK} == _LARGE_PIXELS


_DPI = 40

_POSTER = b"0 0 14400 14400"
"""The page size of the largest example. A seal has no such text, whatever its digits are."""


def render_with_mupdf(pdf: bytes, dpi: int) -> bytes:
    """Runs in a child process, as PyMuPDF must."""
    from layout.pdf import pymupdf_file  # noqa: PLC0415

    with pymupdf_file.open_file(pdf) as file:
        pages: Any = file  # the engine's types of PyMuPDF have no rendering
        return bytes(pages[0].get_pixmap(dpi=dpi).tobytes("png"))


def render_with_poppler(pdf: bytes, dpi: int) -> bytes:
    command = [program("pdftoppm"), "-r", str(dpi), "-f", "1", "-l", "1", "-cropbox", "-png", "-"]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout


async def render_first_page(pdf: bytes, pool: ForkServerPool) -> tuple[bytes, bytes]:
    """Returns the first page as rendered by MuPDF and by poppler."""
    dpi = 2 if _POSTER in pdf else _DPI
    by_mupdf, by_poppler = await pool.run(render_with_mupdf, pdf, dpi), render_with_poppler(pdf, dpi)
    assert by_mupdf
    assert by_poppler
    return by_mupdf, by_poppler

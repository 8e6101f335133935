"""Renders the first page of a PDF with two programs, one of them in a child process."""

import subprocess
from typing import Any

from adapters.processes.pool import SpawnedProcessPool
from tests.programs import program

_DPI = 40


def render_with_mupdf(pdf: bytes, dpi: int) -> bytes:
    """Runs in a child process, as PyMuPDF must."""
    from layout.pdf import existing_file  # noqa: PLC0415

    with existing_file.open_file(pdf) as file:
        pages: Any = file  # the engine's types of PyMuPDF have no rendering
        return bytes(pages[0].get_pixmap(dpi=dpi).tobytes("png"))


def render_with_poppler(pdf: bytes, dpi: int) -> bytes:
    command = [program("pdftoppm"), "-r", str(dpi), "-f", "1", "-l", "1", "-cropbox", "-png", "-"]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout


async def render_first_page(pdf: bytes, pool: SpawnedProcessPool) -> tuple[bytes, bytes]:
    """Returns the first page as rendered by MuPDF and by poppler."""
    dpi = 2 if b"14400" in pdf else _DPI
    by_mupdf, by_poppler = await pool.run(render_with_mupdf, pdf, dpi), render_with_poppler(pdf, dpi)
    assert by_mupdf
    assert by_poppler
    return by_mupdf, by_poppler

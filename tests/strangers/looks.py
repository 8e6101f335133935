"""First pages as two programs show them, one of them in a child process."""

import subprocess
from typing import Any

from adapters.processes.pool import SpawnedProcessPool
from tests.programs import program

_DPI = 40


def picture_by_mupdf(pdf: bytes, dpi: int) -> bytes:
    """Runs in a child process, as PyMuPDF must."""
    from layout.pdf import mupdf  # noqa: PLC0415

    with mupdf.open_file(pdf) as file:
        pages: Any = file  # drawing pages is no part of what the engine uses of PyMuPDF
        return bytes(pages[0].get_pixmap(dpi=dpi).tobytes("png"))


def picture_by_poppler(pdf: bytes, dpi: int) -> bytes:
    command = [program("pdftoppm"), "-r", str(dpi), "-f", "1", "-l", "1", "-cropbox", "-png", "-"]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout


async def looks_of(pdf: bytes, pool: SpawnedProcessPool) -> tuple[bytes, bytes]:
    """The first page by MuPDF and by poppler, byte by byte the same when they show the same."""
    dpi = 2 if b"14400" in pdf else _DPI
    by_mupdf, by_poppler = await pool.run(picture_by_mupdf, pdf, dpi), picture_by_poppler(pdf, dpi)
    assert by_mupdf
    assert by_poppler
    return by_mupdf, by_poppler

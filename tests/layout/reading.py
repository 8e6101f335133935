"""Reads PDFs with libraries and programs that did not write them: qpdf and poppler."""

import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf

from tests.programs import program


def _run(pdf: bytes, name: str, *arguments: str) -> str:
    ended = subprocess.run([program(name), *arguments], input=pdf, capture_output=True, check=False)  # fixed commands
    assert ended.returncode == 0, ended.stdout.decode() + ended.stderr.decode()
    return ended.stdout.decode()


def text_of(pdf: bytes) -> str:
    """The text in the order of the page's contents, a form feed after each page."""
    return _run(pdf, "pdftotext", "-raw", "-enc", "UTF-8", "-", "-")


def fonts_of(pdf: bytes) -> list[str]:
    """One line a font: name, type, encoding, embedded, subset, with Unicode."""
    return _run(pdf, "pdffonts", "-").splitlines()[2:]


def about(pdf: bytes) -> dict[str, str]:
    """What the file says about itself."""
    lines = _run(pdf, "pdfinfo", "-").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def check(pdf: bytes) -> None:
    """Fails if qpdf finds an error in the file or warns of anything but a page of others without /Resources."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        found = [*opened.check_pdf_syntax(), *map(str, opened.get_warnings())]
    assert [line for line in found if "Resources is missing" not in line] == []


def images_of(pdf: bytes) -> list[str]:
    """One line a picture: page, number, kind, width, height and more; masks count as pictures."""
    return _run(pdf, "pdfimages", "-list", "-").splitlines()[2:]


def structure_of(pdf: bytes) -> list[str]:
    """The structure tree, one line an element or a text, two spaces deeper for each level, as poppler reads it."""
    return _run(pdf, "pdfinfo", "-struct-text", "-").splitlines()


def pdfsig(pdf: bytes, folder: Path) -> str:
    """What poppler says of the signatures."""
    file = folder / "sealed.pdf"
    file.write_bytes(pdf)
    ended = subprocess.run([program("pdfsig"), str(file)], capture_output=True, text=True, check=False)  # fixed command
    return ended.stdout + ended.stderr

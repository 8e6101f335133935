"""PDFs as other programs than ours see them."""

import subprocess
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageStat

from tests.programs import program

Box = tuple[float, float, float, float]
"""Left, top, width and height in points, from a page's top left."""

_SCALE = 6  # pixels a point


def read_text(pdf: Path) -> str:
    """Returns all text on its pages, with single spaces."""
    answer = subprocess.run(
        [program("pdftotext"), "-layout", str(pdf), "-"], capture_output=True, text=True, check=True
    )
    return " ".join(answer.stdout.split())


def text_within(pdf: Path, page: int, box: Box) -> str:
    """Returns the text in that rectangle of a page, with single spaces."""
    x, y, w, h = (str(round(edge)) for edge in box)
    where = ["-f", str(page), "-l", str(page), "-r", "72", "-x", x, "-y", y, "-W", w, "-H", h]
    answer = subprocess.run([program("pdftotext"), *where, str(pdf), "-"], capture_output=True, text=True, check=True)
    return " ".join(answer.stdout.split())


def darkness_within(pdf: Path, page: int, box: Box) -> float:
    """Returns how much ink is in that rectangle of a page: 0 is white, 1 is black."""
    x, y, w, h = (str(round(edge * _SCALE)) for edge in box)
    where = ["-f", str(page), "-l", str(page), "-r", str(72 * _SCALE), "-x", x, "-y", y, "-W", w, "-H", h]
    answer = subprocess.run([program("pdftoppm"), "-gray", *where, str(pdf)], capture_output=True, check=True)
    with Image.open(BytesIO(answer.stdout)) as picture:
        return 1 - float(ImageStat.Stat(picture).mean[0]) / 255

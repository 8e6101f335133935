"""Pages as pictures: outlines that stay sharp at any size, or pixels for files that nobody vouches for."""

from typing import Any

from layout.pdf.mupdf import DRAWING_ERRORS, open_file

PICTURE_WIDTH = 1190
"""Pixels of a page's picture: two to the point of A4, sharp on nearly every screen."""

_CLIP_DPI = 384

_MOST_PIXELS = 4_000_000
"""Of one picture. A page that is very much longer than wide is drawn smaller."""


class NotDrawable(Exception):
    """The page, or the file that it is in, is too broken to be drawn."""


def page_svg(pdf: bytes, page: int) -> bytes:
    """Page `page` (from 1) as SVG with every letter as its outline, so it looks the same everywhere.

    Raises:
        IndexError: there is no such page.
    """
    with open_file(pdf) as file:
        svg: str = _page(file, page).get_svg_image(text_as_path=1)
    return svg.encode()


def page_png(pdf: bytes, page: int, width: int = PICTURE_WIDTH) -> bytes:
    """Page `page` (from 1) as PNG, about `width` pixels wide. Whatever is on it, what comes out is pixels on white.

    Raises:
        IndexError: there is no such page.
        NotDrawable: it cannot be drawn.
    """
    try:
        with open_file(pdf) as file:
            return _png(_page(file, page), width)
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def _png(shown: Any, wanted: int) -> bytes:  # noqa: ANN401  # PyMuPDF's pages carry no types
    width, height = max(float(shown.rect.width), 1), max(float(shown.rect.height), 1)
    scale = min(wanted / width, (_MOST_PIXELS / (width * height)) ** 0.5)
    pixels = shown.get_pixmap(dpi=max(1, int(72 * scale)), alpha=False, annots=True)
    return bytes(pixels.tobytes("png"))


def page_clip(pdf: bytes, page: int, clip: tuple[float, float, float, float]) -> bytes:
    """What is drawn between the left, top, right and bottom of `clip` (points) as PNG, on nothing."""
    with open_file(pdf) as file:
        png: bytes = _page(file, page).get_pixmap(dpi=_CLIP_DPI, alpha=True, clip=clip).tobytes("png")
    return png


def _page(file: Any, page: int) -> Any:  # noqa: ANN401  # PyMuPDF's pages carry no types
    if not 1 <= page <= file.page_count:
        raise IndexError(page)
    return file.load_page(page - 1)

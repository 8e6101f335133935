"""Page images: SVG for PDFs of the engine, PNG for untrusted PDFs."""

from layout.pdf.pymupdf_file import DRAWING_ERRORS, PdfFile, open_file, visible_lines

PICTURE_WIDTH = 1190
"""Width of a page image in pixels: two for each point of A4."""

_CLIP_DPI = 384
_MAX_PIXELS = 4_000_000
"""Limit of pixels in one image. A very long page is drawn smaller."""


class NotDrawable(Exception):
    """The page or its file is broken or too large to draw."""


def page_svg(pdf: bytes, page: int) -> bytes:
    """Returns page `page` (from 1) as SVG with text as outlines. Raises `IndexError` if there is no such page."""
    with open_file(pdf) as file:
        svg: str = _page(file, page).get_svg_image(text_as_path=1)
    return svg.encode()


def page_png(pdf: bytes, page: int, width: int = PICTURE_WIDTH) -> bytes:
    """Returns page `page` (from 1) as PNG, about `width` pixels wide. Raises `IndexError` or `NotDrawable`."""
    try:
        with open_file(pdf) as file, visible_lines():
            shown = _page(file, page)
            points, height = max(float(shown.rect.width), 1), max(float(shown.rect.height), 1)
            scale = min(width / points, (_MAX_PIXELS / (points * height)) ** 0.5)
            pixels = shown.get_pixmap(dpi=max(1, int(72 * scale)), alpha=False, annots=True)
            return bytes(pixels.tobytes("png"))
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def page_clip(pdf: bytes, page: int, clip: tuple[float, float, float, float]) -> bytes:
    """Returns the area `clip` (left, top, right, bottom in points) of a page as PNG with a transparent background."""
    with open_file(pdf) as file:
        png: bytes = _page(file, page).get_pixmap(dpi=_CLIP_DPI, alpha=True, clip=clip).tobytes("png")
    return png


def _page(file: PdfFile, page: int) -> PdfFile:
    if not 1 <= page <= file.page_count:
        raise IndexError(page)
    return file.load_page(page - 1)

"""Page images: SVG for PDFs of the engine, PNG for untrusted PDFs. Also compares the pages of two PDFs."""

from layout.pdf.pymupdf_file import DRAWING_ERRORS, PdfFile, open_file

PICTURE_WIDTH = 1190
"""Width of a page image in pixels: two for each point of A4."""

_CLIP_DPI = 384
_MOST_PIXELS = 4_000_000
"""Limit of pixels in one image. A very long page is drawn smaller."""

_COMPARED_DPI = 96
_LEAST_COMPARED_DPI = 30
_MOST_COMPARED_PIXELS = 200_000_000
"""Limit of pixels of all compared pages: 200 pages of A4, or 2,000 at the minimum resolution."""


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
        with open_file(pdf) as file:
            shown = _page(file, page)
            points, height = max(float(shown.rect.width), 1), max(float(shown.rect.height), 1)
            scale = min(width / points, (_MOST_PIXELS / (points * height)) ** 0.5)
            pixels = shown.get_pixmap(dpi=max(1, int(72 * scale)), alpha=False, annots=True)
            return bytes(pixels.tobytes("png"))
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def first_difference(old: bytes, new: bytes) -> int | None:
    """Returns the first page (from 1) that looks different in `new` and `old`, or is in one only; None if all match.

    Raises `NotDrawable` if a page cannot be drawn, or the pages are too many or too large.
    """
    try:
        with open_file(old) as before, open_file(new) as after:
            density = _density(before)
            counts = (before.page_count, after.page_count)
            for page in range(1, min(counts) + 1):
                if not _look_alike(_page(before, page), _page(after, page), density):
                    return page
            return min(counts) + 1 if counts[0] != counts[1] else None
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def _density(file: PdfFile) -> float:
    """Returns the resolution, in dots per inch, at which all pages stay within the limit."""
    inches = sum(shown.rect.width * shown.rect.height for shown in file) / 72**2
    density = min(_COMPARED_DPI, (_MOST_COMPARED_PIXELS / max(inches, 1)) ** 0.5)
    if density < _LEAST_COMPARED_DPI:
        raise NotDrawable
    return float(density)


def _look_alike(one: PdfFile, other: PdfFile, density: float) -> bool:
    if one.rect != other.rect or one.rotation != other.rotation:
        return False
    size = max(one.rect.width * one.rect.height / 72**2, 1)
    dpi = max(1, int(min(density, (_MOST_PIXELS / size) ** 0.5)))
    before, after = (page.get_pixmap(dpi=dpi, alpha=False, annots=True) for page in (one, other))
    return bool(before.samples_mv == after.samples_mv)


def page_clip(pdf: bytes, page: int, clip: tuple[float, float, float, float]) -> bytes:
    """Returns the area `clip` (left, top, right, bottom in points) of a page as PNG with a transparent background."""
    with open_file(pdf) as file:
        png: bytes = _page(file, page).get_pixmap(dpi=_CLIP_DPI, alpha=True, clip=clip).tobytes("png")
    return png


def _page(file: PdfFile, page: int) -> PdfFile:
    if not 1 <= page <= file.page_count:
        raise IndexError(page)
    return file.load_page(page - 1)

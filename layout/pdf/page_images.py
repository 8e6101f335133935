"""Pages as pictures: outlines that stay sharp at any size, or pixels for files that nobody vouches for."""

from typing import Any

from layout.pdf.existing_file import DRAWING_ERRORS, open_file

PICTURE_WIDTH = 1190
"""Pixels of a page's picture: two to the point of A4, sharp on nearly every screen."""

_CLIP_DPI = 384

_MOST_PIXELS = 4_000_000
"""Of one picture. A page that is very much longer than wide is drawn smaller."""


_COMPARED_DPI = 96
_LEAST_COMPARED_DPI = 30
_MOST_COMPARED_PIXELS = 200_000_000
"""Of all pages of a file that are compared: 200 of A4, or 2,000 at the least resolution."""


class NotDrawable(Exception):
    """The page, or the file that it is in, is too broken or too large to be drawn."""


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


def first_difference(old: bytes, new: bytes) -> int | None:
    """The first page (from 1) that looks another in `new` than in `old`, or is in one of them only; None if none does.

    Raises:
        NotDrawable: a page cannot be drawn, or there are too many pages, or too large ones.
    """
    try:
        with open_file(old) as before, open_file(new) as after:
            density = _density(before)
            for page in range(min(before.page_count, after.page_count)):
                if not _look_alike(_page(before, page + 1), _page(after, page + 1), density):
                    return page + 1
            is_longer = before.page_count != after.page_count
            return min(before.page_count, after.page_count) + 1 if is_longer else None
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def _density(file: Any) -> float:  # noqa: ANN401  # PyMuPDF's files carry no types
    """The resolution at which all pages of a file can be drawn, in dots per inch."""
    inches = sum(shown.rect.width * shown.rect.height for shown in file) / 72**2
    density = min(_COMPARED_DPI, (_MOST_COMPARED_PIXELS / max(inches, 1)) ** 0.5)
    if density < _LEAST_COMPARED_DPI:
        raise NotDrawable
    return float(density)


def _look_alike(one: Any, other: Any, density: float) -> bool:  # noqa: ANN401  # PyMuPDF's pages carry no types
    if one.rect != other.rect or one.rotation != other.rotation:
        return False
    size = max(one.rect.width * one.rect.height / 72**2, 1)
    dpi = max(1, int(min(density, (_MOST_PIXELS / size) ** 0.5)))
    before, after = (page.get_pixmap(dpi=dpi, alpha=False, annots=True) for page in (one, other))
    return bool(before.samples_mv == after.samples_mv)


def page_clip(pdf: bytes, page: int, clip: tuple[float, float, float, float]) -> bytes:
    """What is drawn between the left, top, right and bottom of `clip` (points) as PNG, on nothing."""
    with open_file(pdf) as file:
        png: bytes = _page(file, page).get_pixmap(dpi=_CLIP_DPI, alpha=True, clip=clip).tobytes("png")
    return png


def _page(file: Any, page: int) -> Any:  # noqa: ANN401  # PyMuPDF's pages carry no types
    if not 1 <= page <= file.page_count:
        raise IndexError(page)
    return file.load_page(page - 1)

"""Compares pages: one file in two renderers that share no code, MuPDF and PDFium; and two files in each of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Protocol, TypeVar

from PIL import Image, ImageChops

from layout.pdf.draw_page_images import NotDrawable
from layout.pdf.pdfium_file import VERSION as PDFIUM_VERSION
from layout.pdf.pdfium_file import PdfiumFile, open_pdfium
from layout.pdf.picture_difference import CELL, Box, PersistentDifferences, box_above, differences, side_by_side
from layout.pdf.pymupdf_file import DRAWING_ERRORS, MupdfFile, open_mupdf
from layout.pdf.pymupdf_file import VERSION as MUPDF_VERSION

RENDERERS = {"MuPDF": MUPDF_VERSION, "PDFium": PDFIUM_VERSION}
"""The versions of the renderers by their names."""

_DPI = 144
"""The resolution, in dots per inch, of the first comparison. What is suspect is compared at twice of it."""

_MAX_PIXELS = 4_000_000
"""Limit of pixels of a picture of the first comparison: A3. A larger page is drawn at a lower resolution."""

_SUSPECT = 12
"""Difference of a cell at the first resolution, of 255, above which it is compared again."""

_VISIBLE = 60
"""Difference of a cell at twice the resolution, of 255, above which it is visible (decision 0040)."""

_TILE, _MARGIN, _FRAME = 32, 48, 10
"""Cells of the side of a tile that is compared again, and pixels around suspect cells and around a difference."""


_COMPARED_DPI = 96
_MIN_COMPARED_DPI = 30
_MAX_COMPARED_PIXELS = 200_000_000
"""Limit of pixels of all pages of two revisions: 200 pages of A4, or 2,000 at the minimum resolution."""

_SIZE_TOLERANCE = 0.5
"""Points by which two renderers may differ in the width or height of a page."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Page `page` (from 1) is not the same in both renderers.

    `picture` is a PNG with MuPDF's picture, PDFium's beside it, and a red frame around what differs; None if the page
    is in one renderer only, or has another size there.
    """

    page: int
    picture: bytes | None = None


class DrawableFile(Protocol):
    """An open PDF of a renderer. Pages count from 1."""

    page_count: int

    def size(self, page: int) -> tuple[float, float]:
        """Returns the width and height of the page as shown, in units of the page."""

    def picture(self, page: int, width: int, height: int, part: Box | None = None) -> Image.Image:
        """Returns the page with annotations and form fields on white, stretched to the size in pixels, as RGB.

        Returns the pixels `part` only, if given.
        """


def page_count(pdf: bytes) -> int:
    """Returns the number of pages in MuPDF. Raises `NotDrawable`."""
    try:
        with open_mupdf(pdf) as file:
            return file.page_count
    except DRAWING_ERRORS as error:
        raise NotDrawable from error


def find_disagreement(pdf: bytes, pages: Iterable[int] | None = None) -> Disagreement | None:
    """Returns the first of `pages` (from 1; all by default) that MuPDF and PDFium show differently, or None.

    A page that only one of them can draw is a disagreement, and so is another number of pages. Takes some 60 ms for a
    page of A4, and two pictures of 8 megapixels of memory; divide files of more than 100 pages into several jobs.
    Raises `NotDrawable` if neither can open the file or draw a page.
    """
    with ExitStack() as stack:
        one = _attempt(lambda: stack.enter_context(open_mupdf(pdf)))
        other = _attempt(lambda: stack.enter_context(open_pdfium(pdf)))
        if one is None or other is None:
            return _one_sided((one, other), 1)
        counts = (one.page_count, other.page_count)
        for page in pages if pages is not None else range(1, max(counts) + 1):
            disagreement = Disagreement(page) if page > min(counts) else compare_page((one, other), page)
            if disagreement is not None:
                return disagreement
        return Disagreement(min(counts) + 1) if counts[0] != counts[1] else None


def compare_page(files: tuple[MupdfFile, PdfiumFile], page: int) -> Disagreement | None:
    """Compares page `page` (from 1) of two files that are open in both renderers. Raises `NotDrawable`."""
    sizes = [_attempt(partial(file.size, page)) for file in files]
    if sizes[0] is None or sizes[1] is None:
        return _one_sided(sizes, page)
    if any(abs(one - other) > _SIZE_TOLERANCE for one, other in zip(*sizes, strict=True)):
        return Disagreement(page)
    width, height = _pixels(*sizes[0])
    one, other = pictures = [_attempt(partial(file.picture, page, width, height)) for file in files]
    if one is None or other is None:
        return _one_sided(pictures, page)
    suspects = _find_suspects(one.convert("L"), other.convert("L"))
    try:
        box = _confirm(files, page, (width, height), suspects) if suspects.getbbox() else None
    except DRAWING_ERRORS as error:
        raise NotDrawable(page) from error
    return None if box is None else Disagreement(page, _png(side_by_side(one, other, box)))


def _find_suspects(one: Image.Image, other: Image.Image) -> Image.Image:
    """Returns 255 for each cell that may differ."""
    suspects = Image.new("L", (-(-one.width // CELL), -(-one.height // CELL)))
    box = box_above(ImageChops.difference(one, other), _SUSPECT // 2)
    if box is not None:
        left, top = (max(edge // _MARGIN - 1, 0) * _MARGIN for edge in box[:2])
        part = (left, top, min(box[2] + _MARGIN, one.width), min(box[3] + _MARGIN, one.height))
        found = differences(one.crop(part), other.crop(part)).point(lambda share: 255 * (share > _SUSPECT))
        suspects.paste(found, (left // CELL, top // CELL))
    return suspects


def _confirm(
    files: tuple[MupdfFile, PdfiumFile], page: int, size: tuple[int, int], suspects: Image.Image
) -> Box | None:
    """Compares the suspect cells at twice the resolution. Returns the box of the first that differs, in pixels.

    MuPDF draws filled areas thinner than a pixel pale, PDFium dark: a line that agrees without smoothing agrees. It
    enlarges pictures by up to a percent where it draws much of them at once: what agrees when drawn alone agrees.
    """
    size = (2 * size[0], 2 * size[1])
    boxes = [_widened(box, size) for box in _boxes(suspects)]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    part = (left, top, max(box[2] for box in boxes), max(box[3] for box in boxes))
    one, other = (file.picture(page, *size, part).convert("L") for file in files)
    compare, coarse = PersistentDifferences(_VISIBLE), None
    for box in boxes:
        crop = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
        share = compare.of(one.crop(crop), other.crop(crop))
        if box_above(share, _VISIBLE):
            coarse = coarse or files[0].picture(page, *size, part, is_smooth=False).convert("L")
            share = ImageChops.darker(share, compare.of(coarse.crop(crop), other.crop(crop)))
        if box_above(share, _VISIBLE):
            share = ImageChops.darker(
                share, compare.of(*(file.picture(page, *size, box).convert("L") for file in files))
            )
        if where := box_above(share, _VISIBLE):
            return _framed(where, box)
    return None


def _widened(box: Box, size: tuple[int, int]) -> Box:
    """Returns the box with a margin, within a picture of the given size."""
    left, top, right, bottom = box
    width, height = size
    return max(left - _MARGIN, 0), max(top - _MARGIN, 0), min(right + _MARGIN, width), min(bottom + _MARGIN, height)


def _framed(where: Box, box: Box) -> Box:
    """Returns the box of pixels, with a margin, of the cells `where` within `box`, which is in halves of a pixel."""
    left, top, right, bottom = ((box[at % 2] + edge * CELL) // 2 for at, edge in enumerate(where))
    return max(left - _FRAME, 0), max(top - _FRAME, 0), right + _FRAME, bottom + _FRAME


def _boxes(suspects: Image.Image) -> Iterator[Box]:
    """Yields a box around the suspect cells of each tile, in pixels at twice the resolution."""
    for top in range(0, suspects.height, _TILE):
        for left in range(0, suspects.width, _TILE):
            box = suspects.crop((left, top, left + _TILE, top + _TILE)).getbbox()
            if box is not None:
                a, b, c, d = (2 * CELL * (edge + (left, top)[at % 2]) for at, edge in enumerate(box))
                yield a, b, c, d


def _one_sided(results: Sequence[object | None], page: int) -> Disagreement:
    if results[0] is results[1] is None:
        raise NotDrawable(page)
    return Disagreement(page)


def _attempt(work: Callable[[], T]) -> T | None:
    try:
        return work()
    except DRAWING_ERRORS:
        return None


def first_difference(old: bytes, new: bytes) -> int | None:
    """Returns the first page (from 1) that looks different in `new` and `old`, or is in one only; None if all match.

    The pages are compared pixel by pixel, in MuPDF and in PDFium. Raises `NotDrawable` if a page cannot be drawn, or
    the pages are too many or too large.
    """
    differences = []
    for renderer in (open_mupdf, open_pdfium):
        try:
            with renderer(old) as before, renderer(new) as after:
                differences.append(_first_difference(before, after))
        except DRAWING_ERRORS as error:
            raise NotDrawable from error
    return min((page for page in differences if page is not None), default=None)


def _first_difference(before: DrawableFile, after: DrawableFile) -> int | None:
    counts = (before.page_count, after.page_count)
    density = _density([before.size(page) for page in range(1, before.page_count + 1)])
    for page in range(1, min(counts) + 1):
        size = before.size(page)
        pixels = _pixels(*size, density)
        if (
            size != after.size(page)
            or before.picture(page, *pixels).tobytes() != after.picture(page, *pixels).tobytes()
        ):
            return page
    return min(counts) + 1 if counts[0] != counts[1] else None


def _density(sizes: Sequence[tuple[float, float]]) -> float:
    """Returns the resolution, in dots per inch, at which all pages stay within the limit. Raises `NotDrawable`."""
    inches = sum(width * height for width, height in sizes) / 72**2
    density = min(_COMPARED_DPI, (_MAX_COMPARED_PIXELS / max(inches, 1)) ** 0.5)
    if density < _MIN_COMPARED_DPI:
        raise NotDrawable
    return float(density)


def _pixels(width: float, height: float, dpi: float = _DPI) -> tuple[int, int]:
    """Returns the size in pixels of a page of the given size in points."""
    scale = min(dpi / 72, (_MAX_PIXELS / max(width * height, 1)) ** 0.5)
    return max(1, min(round(width * scale), _MAX_PIXELS)), max(1, min(round(height * scale), _MAX_PIXELS))


def _png(picture: Image.Image) -> bytes:
    output = BytesIO()
    picture.save(output, "PNG")
    return output.getvalue()

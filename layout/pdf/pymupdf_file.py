"""Existing PDF files, read and extended with PyMuPDF, which only this module imports.

New files are written without PyMuPDF. Modules that need it are imported in child processes only.
"""

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from hashlib import sha256
from typing import Any

from PIL import Image

from layout.pdf.file_writer import PdfObjects, compress

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # caused by PyMuPDF's generated binding on newer Pythons
    import pymupdf as _pymupdf

_untyped: Any = _pymupdf  # its functions carry no annotations
VERSION = str(_untyped.mupdf_version)
_untyped.TOOLS.mupdf_display_errors(on=False)  # a damaged upload has thousands, which would fill the log
_untyped.TOOLS.mupdf_display_warnings(on=False)

PdfFile = Any
"""An open PDF of PyMuPDF: a table of numbered objects, of which -1 is the trailer, and an iterable of pages."""

DRAWING_ERRORS: tuple[type[Exception], ...] = (_untyped.mupdf.FzErrorBase, RuntimeError, ValueError)
"""Exceptions of PyMuPDF for broken pages."""


def open_file(pdf: bytes) -> AbstractContextManager[PdfFile]:
    file: AbstractContextManager[PdfFile] = _untyped.open(stream=pdf, filetype="pdf")
    return file


def text_of(pdf: bytes) -> str:
    """Returns the text of all pages in the order of the content streams; raises `RuntimeError` for unreadable files."""
    with open_file(pdf) as file:
        return "".join(str(page.get_text()) for page in file)


def decode_picture(pdf: bytes, key: str) -> Image.Image:
    """Returns the picture to which an entry of the catalogue refers, in grey.

    Raises `DRAWING_ERRORS`, also if its data are damaged.
    """
    with open_file(pdf) as file:
        number = int(file.xref_get_key(file.pdf_catalog(), key)[1].split()[0])
        _untyped.TOOLS.reset_mupdf_warnings()
        pixels = _untyped.Pixmap(file, number)
        if warned := _untyped.TOOLS.mupdf_warnings():
            raise ValueError(warned)
        return Image.frombytes("L", (pixels.width, pixels.height), pixels.samples, "raw", "L", pixels.stride, 1)


@contextmanager
def visible_lines() -> Iterator[None]:
    """Within this context MuPDF draws lines at least a pixel wide, as other renderers do."""
    _untyped.TOOLS.set_graphics_min_line_width(1)
    try:
        yield
    finally:
        _untyped.TOOLS.set_graphics_min_line_width(0)


class OpenedFile(PdfObjects):
    """An open file. The second file identifier is a hash of `seed` and of all that is added."""

    def __init__(self, file: PdfFile, seed: bytes) -> None:
        self.file = file
        self._hash = sha256(seed)

    def reserve(self) -> int:
        return int(self.file.get_new_xref())

    def define(self, number: int, definition: str) -> None:
        self._hash.update(definition.encode())
        self.file.update_object(number, definition)

    def define_stream(self, number: int, entries: str, contents: bytes) -> None:
        self.define(number, f"<<{entries}>>")
        self._hash.update(contents)
        # PyMuPDF's own compression takes 14 ms for a signature
        self.file.update_stream(number, compress(contents), new=True, compress=False)
        self.file.xref_set_key(number, "Filter", "/FlateDecode")

    def finish(self) -> bytes:
        """Returns the file's bytes. The first identifier is kept, the second changes; PyMuPDF adds no timestamp."""
        second = self._hash.hexdigest()[:32].upper()
        kind, value = self.file.xref_get_key(-1, "ID")
        first = value.strip("[]<> ").split(">")[0] if kind == "array" else second
        self.file.xref_set_key(-1, "ID", f"[<{first}><{second}>]")
        return bytes(self.file.tobytes(use_objstms=1, no_new_id=True))


@cache
def substitute_font(name: str) -> bytes:
    """Returns the font with which MuPDF substitutes one that is not embedded; `name` is PyMuPDF's, such as `helv`."""
    return bytes(_untyped.Font(name).buffer)


_SMOOTH = 8
"""Bits of antialiasing, MuPDF's default."""


@contextmanager
def _smoothing(bits: int) -> Iterator[None]:
    _untyped.mupdf.fz_set_graphics_aa_level(bits)
    try:
        yield
    finally:
        _untyped.mupdf.fz_set_graphics_aa_level(_SMOOTH)


class MupdfFile:
    """An open PDF of MuPDF. Implements `compare_pages.DrawableFile`. Raises `DRAWING_ERRORS`."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self.page_count = int(file.page_count)

    def size(self, page: int) -> tuple[float, float]:
        shown = self._file.load_page(page - 1)
        unit = self._user_unit(shown.xref)
        return float(shown.rect.width) / unit, float(shown.rect.height) / unit

    def picture(
        self,
        page: int,
        width: int,
        height: int,
        part: tuple[int, int, int, int] | None = None,
        *,
        is_smooth: bool = True,
    ) -> Image.Image:
        """Fills every pixel that an area touches if `is_smooth` is false."""
        shown = self._file.load_page(page - 1)
        left, top, right, bottom = part or (0, 0, width, height)
        across, down = width / shown.rect.width, height / shown.rect.height
        clip = _untyped.Rect(left / across, top / down, right / across, bottom / down)
        with visible_lines(), _smoothing(_SMOOTH if is_smooth else 0):
            pixels = shown.get_pixmap(matrix=_untyped.Matrix(across, down), clip=clip, alpha=False, annots=True)
        drawn = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples_mv, "raw", "RGB", pixels.stride, 1)
        return drawn.crop((left - pixels.x, top - pixels.y, right - pixels.x, bottom - pixels.y))

    def _user_unit(self, number: int) -> float:
        """Returns the points of a unit of the page, by which MuPDF multiplies its size, and PDFium does not."""
        kind, value = self._file.xref_get_key(number, "UserUnit")
        return float(value) if kind in ("int", "float", "real") and float(value) > 0 else 1


@contextmanager
def open_mupdf(pdf: bytes) -> Iterator[MupdfFile]:
    """Opens a PDF to draw it. Raises `DRAWING_ERRORS`."""
    with open_file(pdf) as file:
        yield MupdfFile(file)

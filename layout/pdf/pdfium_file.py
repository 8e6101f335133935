"""Existing PDF files, read and drawn with PDFium, which only this module imports.

PDFium shares no code with MuPDF. Modules that need it are imported in child processes only.

Fonts that a file does not embed are substituted by the fonts of MuPDF: both renderers draw the same outlines, and the
fonts of the machine have no influence on a picture.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pypdfium2
import pypdfium2.raw as _raw
from PIL import Image

from layout.pdf.pymupdf_file import substitute_font

VERSION = str(pypdfium2.version.PDFIUM_INFO.version).partition("@")[0]

Part = tuple[int, int, int, int]

_api: Any = _raw  # its functions carry no annotations

_FIXED_PITCH, _ROMAN = 0x01, 0x10
_BOLD = 600
_CJK = {128: "japan", 129: "korea", 134: "china-s", 136: "china-t"}
"""Character sets of Windows, and the names of MuPDF's fonts for them."""


class PdfiumFile:
    """An open PDF of PDFium. Implements `compare_pages.DrawableFile`. Raises `RuntimeError`."""

    def __init__(self, file: pypdfium2.PdfDocument) -> None:
        self._file = file
        self.page_count = len(file)

    def size(self, page: int) -> tuple[float, float]:
        """Returns width and height of page `page` (from 1) as shown, in units of the page."""
        width, height = self._file.get_page_size(page - 1)
        return float(width), float(height)

    def picture(self, page: int, width: int, height: int, part: Part | None = None) -> Image.Image:
        """Returns a page with its annotations and form fields on white, stretched to the size in pixels, as RGB.

        Returns the pixels `part` (left, top, right, bottom) only, if given.
        """
        left, top, right, bottom = part or (0, 0, width, height)
        across, down = right - left, bottom - top
        opened = self._file[page - 1]
        pixels = (ctypes.c_ubyte * (across * down * 4))()
        ctypes.memset(pixels, 255, len(pixels))
        bitmap = _api.FPDFBitmap_CreateEx(across, down, _api.FPDFBitmap_BGRx, pixels, across * 4)
        try:
            place = (opened, -left, -top, width, height, 0, _api.FPDF_ANNOT)
            _api.FPDF_RenderPageBitmap(bitmap, *place)
            if self._file.formenv is not None:
                _api.FPDF_FFLDraw(self._file.formenv, bitmap, *place)
        finally:
            _api.FPDFBitmap_Destroy(bitmap)
            opened.close()
        return Image.frombuffer("RGB", (across, down), bytes(pixels), "raw", "BGRX", across * 4, 1)


@contextmanager
def open_pdfium(pdf: bytes) -> Iterator[PdfiumFile]:
    """Opens a PDF. Raises `RuntimeError`."""
    _substitute_fonts()
    file = pypdfium2.PdfDocument(pdf)
    try:
        file.init_forms()
        yield PdfiumFile(file)
    finally:
        file.close()


class _Substitutes:
    """The font source of PDFium: fonts by what a file asks for. Never releases a font, as there are few."""

    def __init__(self) -> None:
        self._fonts: list[bytes] = []

    def map_font(self, weight: int, italic: int, charset: int, pitch: int) -> int | None:
        """Returns the handle of a font, or None to use PDFium's own."""
        family = "co" if pitch & _FIXED_PITCH else "ti" if pitch & _ROMAN else "he"
        name = _CJK.get(charset) or _name(family, is_bold=weight >= _BOLD, is_italic=bool(italic))
        font = substitute_font(name)
        if font not in self._fonts:
            self._fonts.append(font)
        return self._fonts.index(font) + 1

    def copy(self, handle: int | None, table: int, buffer: int | None, size: int) -> int:
        """Copies the font to `buffer`, if it has room. Returns the size of the font in bytes; tables are not served."""
        if not handle or table:
            return 0
        font = self._fonts[handle - 1]
        if buffer and size >= len(font):
            ctypes.memmove(buffer, font, len(font))
        return len(font)


def _name(family: str, *, is_bold: bool, is_italic: bool) -> str:
    """Returns PyMuPDF's name of a standard font, such as `tibi` for Times, bold and italic."""
    plain = {"co": "cour", "ti": "tiro", "he": "helv"}[family]
    style = {(False, False): "", (True, False): "bo", (False, True): "it", (True, True): "bi"}[is_bold, is_italic]
    return family + style if style else plain


@cache
def _substitute_fonts() -> object:
    """Registers the font source, once in a process. Returns it, as PDFium keeps a pointer to it."""
    source = _Substitutes()
    info = _api.FPDF_SYSFONTINFO(version=2)
    callbacks: dict[str, Callable[..., Any]] = {
        "Release": lambda _: None,
        "EnumFonts": lambda _, __: None,
        "MapFont": lambda _, weight, italic, charset, pitch, __, ___: source.map_font(weight, italic, charset, pitch),
        "GetFont": lambda _, __: None,
        "GetFontData": lambda _, font, table, buffer, size: source.copy(font, table, buffer, size),
        "GetFaceName": lambda _, __, ___, ____: 0,
        "GetFontCharset": lambda _, __: 0,
        "DeleteFont": lambda _, __: None,
    }
    kinds = dict(_api.FPDF_SYSFONTINFO._fields_)
    for name, call in callbacks.items():
        setattr(info, name, kinds[name](call))
    _api.FPDF_SetSystemFontInfo(info)
    return info

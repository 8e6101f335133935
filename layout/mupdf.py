"""The one place that imports PyMuPDF, and all that is used of it. Only what writes or opens PDFs imports this module.

PyMuPDF 2.0 loads a page-analysis model at import when it finds one: half a second and 90 MB in every process, for
something that is never used here. It takes an ImportError as a no, and that is what a None in `sys.modules` gives.
"""

import sys
import warnings
from contextlib import AbstractContextManager
from typing import Any, Protocol

sys.modules["pymupdf.layout"] = None  # type: ignore[assignment]  # the documented way to make an import fail
sys.modules["pymupdf4llm"] = None  # type: ignore[assignment]

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its generated binding warns about itself on newer Pythons
    import pymupdf as _pymupdf

_untyped: Any = _pymupdf  # its functions carry no annotations


class PdfFile(Protocol):
    """An open PDF as a table of numbered objects; -1 stands for the trailer."""

    @property
    def page_count(self) -> int: ...

    def page_xref(self, index: int, /) -> int: ...

    def pdf_catalog(self) -> int: ...

    def get_new_xref(self) -> int: ...

    def update_object(self, xref: int, text: str, /) -> None: ...

    def update_stream(self, xref: int, stream: bytes, /, *, new: bool, compress: bool) -> None: ...

    def xref_object(self, xref: int, /) -> str: ...

    def xref_get_key(self, xref: int, key: str, /) -> tuple[str, str]: ...

    def xref_set_key(self, xref: int, key: str, value: str, /) -> None: ...

    def tobytes(self, *, use_objstms: int, no_new_id: bool) -> bytes: ...


def open_file(pdf: bytes) -> AbstractContextManager[PdfFile]:
    """The PDF that these bytes are."""
    file: AbstractContextManager[PdfFile] = _untyped.open(stream=pdf, filetype="pdf")
    return file

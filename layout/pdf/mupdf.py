"""The one place that imports PyMuPDF. Only what opens PDFs imports this module, and only when it does so: new files are
written without it.
"""

import warnings
from contextlib import AbstractContextManager
from typing import Any

from layout.pdf.existing_file import PdfFile

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its generated binding warns about itself on newer Pythons
    import pymupdf as _pymupdf

_untyped: Any = _pymupdf  # its functions carry no annotations

DRAWING_ERRORS: tuple[type[Exception], ...] = (_untyped.mupdf.FzErrorBase, RuntimeError, ValueError)
"""What it makes of broken pages."""


def open_file(pdf: bytes) -> AbstractContextManager[PdfFile]:
    """The PDF that these bytes are."""
    file: AbstractContextManager[PdfFile] = _untyped.open(stream=pdf, filetype="pdf")
    return file

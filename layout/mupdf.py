"""The one place that imports PyMuPDF. Only what draws or opens PDFs imports this module.

PyMuPDF 2.0 loads a page-analysis model at import when it finds one: half a second and 90 MB in every process, for
something that is never used here. It takes an ImportError as a no, and that is what a None in `sys.modules` gives.
"""

import sys

sys.modules["pymupdf.layout"] = None  # type: ignore[assignment]  # documented way to make an import fail
sys.modules["pymupdf4llm"] = None  # type: ignore[assignment]

import pymupdf  # noqa: E402  # only after the lines above

__all__ = ["pymupdf"]

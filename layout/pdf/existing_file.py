"""PDF files that exist, opened to be added to: objects through PyMuPDF."""

import warnings
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Any, Protocol

from layout.pdf.new_file import compress


class PdfFile(Protocol):
    """An open PDF as a table of numbered objects; -1 stands for the trailer."""

    @property
    def page_count(self) -> int: ...

    def page_xref(self, index: int, /) -> int: ...

    def pdf_catalog(self) -> int: ...

    def get_new_xref(self) -> int: ...

    def update_object(self, xref: int, text: str, /) -> None: ...

    def update_stream(self, xref: int, stream: bytes, /, *, new: bool, compress: bool) -> None: ...

    def xref_object(self, xref: int, /, compressed: bool = ...) -> str: ...

    def xref_get_key(self, xref: int, key: str, /) -> tuple[str, str]: ...

    def xref_set_key(self, xref: int, key: str, value: str, /) -> None: ...

    def tobytes(self, *, use_objstms: int, no_new_id: bool) -> bytes: ...


class OpenedFile:
    """An open file. What is added is hashed, after `seed`, for the file's second identifier."""

    def __init__(self, file: PdfFile, seed: bytes) -> None:
        self.file = file
        self._hash = sha256(seed)

    def reserve(self) -> int:
        """The number of a new object, to be defined later."""
        return self.file.get_new_xref()

    def define(self, number: int, definition: str) -> None:
        """Says what object `number` is."""
        self._hash.update(definition.encode())
        self.file.update_object(number, definition)

    def define_stream(self, number: int, entries: str, contents: bytes) -> None:
        """Makes object `number` a stream, compressed. PyMuPDF would take its slowest level: 14 ms for a signature."""
        self.define(number, f"<<{entries}>>")
        self._hash.update(contents)
        self.file.update_stream(number, compress(contents), new=True, compress=False)
        self.file.xref_set_key(number, "Filter", "/FlateDecode")

    def finish(self) -> bytes:
        """The file's bytes. The first identifier stays, the second says which version this is; PyMuPDF adds nothing of
        its own, no time above all.
        """
        second = self._hash.hexdigest()[:32].upper()
        kind, value = self.file.xref_get_key(-1, "ID")
        first = value.strip("[]<> ").split(">")[0] if kind == "array" else second
        self.file.xref_set_key(-1, "ID", f"[<{first}><{second}>]")
        return self.file.tobytes(use_objstms=1, no_new_id=True)


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


def text_of(pdf: bytes) -> str:
    """All text on the pages, in the order in which it is drawn.

    Raises:
        RuntimeError: the file cannot be read.
    """
    with open_file(pdf) as file:
        return "".join(str(page.get_text()) for page in file)  # type: ignore[attr-defined]

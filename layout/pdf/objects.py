"""PDF objects, streams and strings, in a new file or an existing one."""

from typing import Protocol

_ESCAPES = {ord(special): f"\\{special}" for special in "()\\"}


class ObjectTable(Protocol):
    """A file as a table of numbered objects. Definitions are ASCII."""

    def reserve(self) -> int:
        """The number of a new object, to be defined later."""

    def define(self, number: int, definition: str) -> None:
        """Says what object `number` is."""

    def define_stream(self, number: int, entries: str, contents: bytes) -> None:
        """Makes object `number` a stream, compressed."""


class PdfObjects:
    """The objects of a PDF that is being written or added to."""

    def __init__(self, objects: ObjectTable) -> None:
        self._objects = objects
        self.reserve = objects.reserve
        self.set = objects.define

    def add(self, definition: str) -> int:
        """A new object; its number."""
        number = self.reserve()
        self.set(number, definition)
        return number

    def add_stream(self, contents: bytes, entries: str = "") -> int:
        """A new stream, compressed; its number."""
        number = self.reserve()
        self._objects.define_stream(number, entries, contents)
        return number


def text_string(text: str) -> str:
    """`text` as a PDF text string."""
    if text.isascii() and text.isprintable():
        return byte_string(text.encode("ascii"))
    return f"<FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>"


def byte_string(contents: bytes) -> str:
    """`contents` as a PDF string, as text where they can be read."""
    text = contents.decode("latin-1")
    if text.isascii() and text.isprintable():
        return f"({text.translate(_ESCAPES)})"
    return f"<{contents.hex().upper()}>"

"""PDF objects, streams and strings, in a new file or an existing one."""

from typing import Protocol

_ESCAPES = {ord(special): f"\\{special}" for special in "()\\"}


class ObjectTable(Protocol):
    """A PDF as a table of numbered objects. Definitions are ASCII."""

    def reserve(self) -> int:
        """Returns the number of a new object, to be defined later."""

    def define(self, number: int, definition: str) -> None:
        """Defines object `number`."""

    def define_stream(self, number: int, entries: str, contents: bytes) -> None:
        """Defines object `number` as a compressed stream."""


class PdfObjects:
    """The objects of a PDF that is written or extended."""

    def __init__(self, objects: ObjectTable) -> None:
        self._objects = objects
        self.reserve = objects.reserve
        self.set = objects.define

    def add(self, definition: str) -> int:
        """Adds an object; returns its number."""
        number = self.reserve()
        self.set(number, definition)
        return number

    def add_stream(self, contents: bytes, entries: str = "") -> int:
        """Adds a compressed stream; returns its number."""
        number = self.reserve()
        self._objects.define_stream(number, entries, contents)
        return number


def text_string(text: str) -> str:
    """Returns `text` as a PDF text string."""
    if text.isascii() and text.isprintable():
        return byte_string(text.encode("ascii"))
    return f"<FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>"


def byte_string(contents: bytes) -> str:
    """Returns `contents` as a PDF string: literal if printable ASCII, else hexadecimal."""
    text = contents.decode("latin-1")
    if text.isascii() and text.isprintable():
        return f"({text.translate(_ESCAPES)})"
    return f"<{contents.hex().upper()}>"

"""PDF objects: streams, fonts and strings, in a new file or an opened one."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from layout.pdf.cmaps import CODES_TO_GLYPHS, to_glyphs, to_text
from layout.pdf.glyph_fonts import add_glyph_fonts
from layout.text.font_encoding import FontEncoding
from layout.text.font_subset import Subset, cid_set, subset_of
from layout.text.fonts import Face

_ESCAPES = {ord(special): f"\\{special}" for special in "()\\"}


class Objects(Protocol):
    """A file as a table of numbered objects. Definitions are ASCII."""

    def reserve(self) -> int:
        """The number of a new object, to be defined later."""

    def define(self, number: int, definition: str) -> None:
        """Says what object `number` is."""

    def define_stream(self, number: int, entries: str, contents: bytes) -> None:
        """Makes object `number` a stream, compressed."""


class PdfObjects:
    """The objects of a PDF that is being written or added to."""

    def __init__(self, objects: Objects) -> None:
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

    def add_fonts(self, shown: Mapping[Face, Iterable[str]], codes: FontEncoding) -> dict[str, int]:
        """Embeds each face reduced to the characters shown in it, and the fonts of shaped text; object numbers by
        resource name.
        """
        fonts: dict[str, int] = {}
        for face in sorted(shown):
            characters = frozenset(map(ord, shown[face]))
            for at, page in enumerate(codes.pages):
                used = {code: byte for code, byte in page.items() if code in characters}
                if used:
                    fonts[codes.font(face, at)] = self._add_font(subset_of(face, frozenset(used)), used)
        return fonts | add_glyph_fonts(self, codes.glyphs)

    def _add_font(self, subset: Subset, codes: Mapping[int, int]) -> int:
        program = self.add_stream(subset.program, f"/Length1 {len(subset.program)}")
        present = self.add_stream(cid_set(range(subset.count)))
        descriptor = self.add(
            f"<< /Type /FontDescriptor /FontName /{subset.name} /Flags 32 /FontBBox [-500 -300 1700 1000] "
            f"/ItalicAngle {-12 if 'Italic' in subset.name else 0} /Ascent 935 /Descent -265 /CapHeight 689 "
            f"/StemV {140 if 'Bold' in subset.name else 80} /FontFile2 {program} 0 R /CIDSet {present} 0 R >>"
        )
        widths = " ".join(f"{glyph} [{width}]" for glyph, width in subset.widths.items())
        descendant = self.add(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
            f"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            f"/CIDToGIDMap /Identity /DW 0 /W [{widths}] >>"
        )
        glyphs = {byte: subset.glyphs[code] for code, byte in codes.items()}
        encoding = self.add_stream(to_glyphs(glyphs), CODES_TO_GLYPHS)
        unicode = self.add_stream(to_text({byte: chr(code) for code, byte in codes.items()}))
        return self.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{subset.name} /Encoding {encoding} 0 R "
            f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
        )


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

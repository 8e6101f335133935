"""Character codes in content streams: one byte for plain text, two bytes for shaped glyphs. ISO 32000-1, 9.4.3.

A code page of plain text holds 249 characters, enough for nearly every document. Each further page is another font
of the same face. One byte a character keeps streams small and fast to compress.

A content stream is encoded as a whole. Until then it is a string in which `OPEN` and `CLOSE` stand for the parentheses
of PDF strings, so nothing needs escapes.

"""

import codecs
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from layout.text.characters import UNKNOWN
from layout.text.font_fallback import FontVariant
from layout.text.fonts import Face, TextStyle
from layout.text.glyph_runs import Run
from layout.text.shaped_lines import Glyphs

OPEN = "\x01"
CLOSE = "\x02"
_FACE_LETTERS = {Face.REGULAR: "R", Face.BOLD: "B", Face.ITALIC: "I", Face.BOLD_ITALIC: "J"}
_DELIMITERS = {ord("("): 3, ord(")"): 4, ord("\\"): 5}
_TO_BYTES = bytes.maketrans(b"\x01\x02()\\", b"()\x03\x04\x05")
_NOTHING = "\ufffe"  # marks a byte without a character
_SPARE = (*range(6, 10), 11, 12, *range(14, 32))  # no line ends, which readers may convert in strings
_BEYOND_ASCII = (*range(128, 256), *_SPARE)
_CODES = (*_BEYOND_ASCII, *(code for code in range(32, 128) if code not in _DELIMITERS), *_DELIMITERS.values())


class FontEncoding:
    """The encoding of a document's characters, determined by their set.

    `prefix` makes the resource names of fonts unique when a page is stamped. `glyphs` encodes shaped text. `pages` has
    the code of each character by its code point. `is_direct`: texts need no translation. There is one page then, and
    the codes of ASCII characters encode these characters. `is_simple`: the encoding is direct, and no text is shaped.
    """

    def __init__(self, characters: Iterable[str], prefix: str = "", shaped: Iterable[Glyphs] = ()) -> None:
        self._prefix = prefix
        self._selected: dict[tuple[Face, float, int], str] = {}
        self.glyphs = GlyphEncoding(shaped, prefix)
        needed = sorted({ord(character) for character in characters} | {ord(" "), ord(UNKNOWN)})
        own = {code: _DELIMITERS.get(code, code) for code in needed if code in _DELIMITERS or 32 <= code < 256}
        taken = set(own.values())
        free = [code for code in _CODES if code not in taken]
        others = [code for code in needed if code not in own]
        self.pages: list[dict[int, int]] = [own | dict(zip(others, free, strict=False))]
        for start in range(len(free), len(others), len(_CODES)):
            self.pages.append(dict(zip(others[start:], _CODES, strict=False)))
        self.is_direct = len(others) <= sum(code not in taken for code in _BEYOND_ASCII)
        self.is_simple = self.is_direct and not self.glyphs.by_variant
        self._table = _encoding(self.pages[0]) if self.is_direct and others else None
        self._page_of = {code: at for at, page in enumerate(self.pages) for code in page}
        # text on the first page is written by str.translate; delimiters stay, `encode` changes them
        self._first = {code: chr(byte) for code, byte in self.pages[0].items() if code not in _DELIMITERS}
        self._more = [{code: chr(_unescaped(byte)) for code, byte in page.items()} for page in self.pages[1:]]

    def runs(self, text: str) -> Iterator[tuple[int, str]]:
        """Yields `text` in runs of one code page: the page's number, and the text as written in a stream."""
        if self.is_direct or text.isascii():
            yield 0, text
        elif len(self.pages) == 1:
            yield 0, text.translate(self._first)
        else:
            for page, run in groupby(text, key=lambda character: self._page_of[ord(character)]):
                table = self._more[page - 1] if page else self._first
                yield page, "".join(run).translate(table)

    def font(self, face: Face, page: int) -> str:
        """Returns the resource name of the font for a code page of `face`."""
        return f"{self._prefix}{_FACE_LETTERS[face]}{page}"

    def select(self, style: TextStyle, page: int) -> str:
        """Returns the operator that selects the font for a code page in `style`."""
        known = self._selected.get((style.face, style.size, page))
        if known is None:
            known = f"/{self.font(style.face, page)} {style.size:g} Tf "
            self._selected[style.face, style.size, page] = known
        return known

    def encode(self, stream: str) -> bytes:
        """Encodes a content stream."""
        if self._table is None or stream.isascii():
            return stream.encode("latin-1").translate(_TO_BYTES)
        return codecs.charmap_encode(stream, "strict", self._table)[0]


def _encoding(page: Mapping[int, int]) -> Mapping[int, int]:
    """Returns the encoding table of a direct encoding, in the form that the codec is fastest with."""
    decoded = [chr(code) for code in range(128)] + [_NOTHING] * 128
    decoded[ord("\\")] = _NOTHING
    for code, byte in {ord(OPEN): ord("("), ord(CLOSE): ord(")"), **page}.items():
        decoded[byte] = chr(code)
    table: Mapping[int, int] = codecs.charmap_build("".join(decoded))  # type: ignore[assignment]  # an opaque table
    return table


def _unescaped(byte: int) -> int:
    """Returns the character that `encode` converts to `byte`."""
    return {3: ord("("), 4: ord(")"), 5: ord("\\")}.get(byte, byte)


GlyphKey = tuple[int, str]
"""A glyph number, and the text that the glyph stands for."""


class GlyphEncoding:
    """The codes of one document: one for each pair of a glyph and its text. Strings of them are hexadecimal."""

    def __init__(self, lines: Iterable[Glyphs], prefix: str = "") -> None:
        shown: dict[FontVariant, set[GlyphKey]] = {}
        for run in set().union(*(map(itemgetter(1), line.runs) for line in lines)):
            shown.setdefault(run.variant, set()).update(map(itemgetter(0), run.glyphs))
        variants = sorted(shown, key=lambda variant: variant.name)
        self.by_variant: dict[FontVariant, Mapping[GlyphKey, int]] = {
            variant: {pair: code for code, pair in enumerate(sorted(shown[variant]), start=1)} for variant in variants
        }
        self._names = {variant: f"{prefix}G{at}" for at, variant in enumerate(variants)}
        self._strings = {
            variant: {pair: f"<{code:04X}>" for pair, code in codes.items()}
            for variant, codes in self.by_variant.items()
        }
        self._written: dict[float, _Written] = {}

    def font(self, variant: FontVariant) -> str:
        """Returns the resource name of the font for `variant`."""
        return self._names[variant]

    def operators(self, glyphs: Glyphs, size: float) -> str:
        """Returns the operators that show a line at the current text position."""
        pieces: list[str] = []
        written = self._written.get(size) or self._written.setdefault(size, _Written(size, self._strings))
        variant = None
        pen = 0
        for x, run in glyphs.runs:
            if run.variant is not variant:
                pieces.append(f"{']TJ ' if variant else ''}/{self._names[run.variant]} {size:g} Tf [")
                variant = run.variant
            shown, end = written[run]
            pieces.append(shown if x == pen else f"{pen - x} {shown}")
            pen = x + end
        return f"{''.join(pieces)}]TJ" if pieces else ""


class _Written(dict[Run, tuple[str, int]]):
    """Runs in one font size, each as elements of a TJ array with the distance that the pen moves."""

    def __init__(self, size: float, strings: Mapping[FontVariant, Mapping[GlyphKey, str]]) -> None:
        super().__init__()
        self._size = size
        self._strings = strings

    def __missing__(self, run: Run) -> tuple[str, int]:
        write = _backwards if run.level % 2 else _forwards
        written = self[run] = write(run, self._strings[run.variant], self._size)
        return written


def _forwards(run: Run, codes: Mapping[GlyphKey, str], size: float) -> tuple[str, int]:
    pieces = []
    for shown, x, y, advance, natural in run.glyphs:
        before = f"{-x} " if x else ""
        after = x + natural - advance
        piece = f"{before}{codes[shown]}{f'{after} ' if after else ''}"
        pieces.append(_raised(piece, y, size) if y else piece)
    return "".join(pieces).replace("><", ""), run.width


def _backwards(run: Run, codes: Mapping[GlyphKey, str], size: float) -> tuple[str, int]:
    """Writes glyphs from last to first, each shown separately, for text extraction by order and by position."""
    pieces = []
    holder = run.variant.zero_width_glyph
    pen, right = 0, run.width
    for shown, x, y, advance, natural in reversed(run.glyphs):
        right -= advance
        begin = right + x
        piece = f"{pen - begin} {codes[shown]}" if begin != pen else codes[shown]
        if y:
            pieces.append(_raised(piece, y, size))
        elif shown[0] == holder:
            pieces.append(f"]TJ 3 Tr [{piece}]TJ 0 Tr [")
        else:
            pieces.append(f"{piece}]TJ [")
        pen = begin + natural
    return "".join(pieces), pen


def _raised(piece: str, y: int, size: float) -> str:
    return f"]TJ {y * size / 1000:.2f} Ts [{piece}]TJ 0 Ts ["

"""Codes: how the characters of one document become single bytes in its content streams.

One byte a character is what makes streams small and quick to compress. A code page holds 249 characters, so nearly
every document needs one; what is over goes to further pages, which are further fonts of the same face.

A page's text is encoded in one go. Until then it is a string in which the parentheses around texts are `OPEN` and
`CLOSE`, and every character is written as the character of its code: nothing has to be escaped.
"""

import codecs
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from layout.text.characters import UNKNOWN
from layout.text.fonts import Face
from layout.text.glyph_encoding import GlyphEncoding
from layout.text.shaped_lines import Glyphs

OPEN = "\x01"
CLOSE = "\x02"
_FACE_LETTERS = {Face.REGULAR: "R", Face.BOLD: "B", Face.ITALIC: "I"}
_DELIMITERS = {ord("("): 3, ord(")"): 4, ord("\\"): 5}
_TO_BYTES = bytes.maketrans(b"\x01\x02()\\", b"()\x03\x04\x05")
_NOTHING = "\ufffe"  # what the codec takes for a byte without a character
_SPARE = (*range(6, 10), 11, 12, *range(14, 32))  # never the line ends, which readers may change in strings
_BEYOND_ASCII = (*range(128, 256), *_SPARE)
_CODES = (*_BEYOND_ASCII, *(code for code in range(32, 128) if code not in _DELIMITERS), *_DELIMITERS.values())


class FontEncoding:
    """The codes of one document. The same set of characters always gets the same codes.

    `prefix` goes before the names of fonts, so that what is drawn later onto a page has names of its own. What had to
    be shaped has codes of its own, in `glyphs`.

    Attributes:
        pages: the code of each character by its code point.
        is_direct: whether texts need nothing done to them before they are encoded: there is one page, and no character
            has the code of another one that operators are written with.
        is_simple: whether it is, and nothing had to be shaped either.
    """

    def __init__(self, characters: Iterable[str], prefix: str = "", shaped: Iterable[Glyphs] = ()) -> None:
        self._prefix = prefix
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
        """`text` as runs of one code page each: the page's number, and the text as it is written in a stream."""
        if self.is_direct or text.isascii():
            yield 0, text
        elif len(self.pages) == 1:
            yield 0, text.translate(self._first)
        else:
            for page, run in groupby(text, key=lambda character: self._page_of[ord(character)]):
                table = self._more[page - 1] if page else self._first
                yield page, "".join(run).translate(table)

    def font(self, face: Face, page: int) -> str:
        """The resource name of the font for one code page of `face`."""
        return f"{self._prefix}{_FACE_LETTERS[face]}{page}"

    def encode(self, stream: str) -> bytes:
        """A page's stream as bytes."""
        if self._table is None or stream.isascii():
            return stream.encode("latin-1").translate(_TO_BYTES)
        return codecs.charmap_encode(stream, "strict", self._table)[0]


def _encoding(page: Mapping[int, int]) -> Mapping[int, int]:
    """How streams are encoded whose texts stand in them as they are, in the form that the codec is quick with."""
    decoded = [chr(code) for code in range(128)] + [_NOTHING] * 128
    decoded[ord("\\")] = _NOTHING
    for code, byte in {ord(OPEN): ord("("), ord(CLOSE): ord(")"), **page}.items():
        decoded[byte] = chr(code)
    table: Mapping[int, int] = codecs.charmap_build("".join(decoded))  # type: ignore[assignment]  # an opaque table
    return table


def _unescaped(byte: int) -> int:
    """The character that `encode` turns into `byte`."""
    return {3: ord("("), 4: ord(")"), 5: ord("\\")}.get(byte, byte)

"""Type 1 programs that all readers read alike (Adobe Type 1 Font Format).

A Type 1 program is a PostScript program. Ghostscript runs it, and other readers search it for what they know. So a
program is taken only if it says what fonts say, in the words and the order in which fonts are written, and each thing
once.
"""

import re
from collections.abc import Mapping
from hashlib import sha256

from application.uploads.charstrings import OddProgram, Type1Run, check_accented, require
from application.uploads.named_codes import NO_GLYPH, STANDARD, NamedGlyphs

_KEY, _CHARSTRING_KEY = 55_665, 4_330
_RANDOM_BYTES = 4
"""Bytes before what is encrypted; `lenIV` may give another number for charstrings."""

_TOKEN = re.compile(
    rb"[\0\t\n\x0c\r ]*+(?:(?P<comment>%[^\r\n]*+)"
    rb"|(?P<string>\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()\\]*+\))*+\))*+\))"
    rb"|(?P<token>[\[\]{}]|/?[^\0\t\n\x0c\r ()<>\[\]{}/%]++))",
    re.DOTALL,
)
_INTEGER = re.compile(rb"\d{1,9}")
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?")
_AFTER = re.compile(rb"[\0-\xff]{0,4}?[\0\t\n\r 0]*+(?:cleartomark[\0\s0]*+)?(?:\{ ?restore ?\} ?if\s*+)?")
"""What follows the encrypted part: zeros, and an end that undoes what other programs left."""

_STRING = b"()"
_ONLY_ONCE = (b"/Encoding", b"/FontMatrix", b"/FontBBox", b"/CharStrings", b"/Private")
"""Words for which readers search, some of them also in texts and remarks."""

_HINT_PROCEDURES = frozenset({
    "020dc0a9251fc452c951a7612560b58a0a60c71b8652312ced5e45f24a3cd8be",
    "e3719779fd57806af7bc2588867357fe33e72b354e71f2b1f87891cab0e0d258",
})  # fmt: skip
"""SHA-256 of the tokens of `OtherSubrs`, with a space between: those for flex and hints, and those for hints."""

_KNOWN = re.compile(
    rb"FontDirectory (/\S+) known \{ \1 findfont dup /UniqueID known (?:pop false )?\{ dup /UniqueID get \d+ eq exch "
    rb"/FontType get 1 eq and \} \{ pop false \} ifelse \{ save true \} \{ false \} ifelse \} \{ false \} ifelse"
)
"""The test whether a printer has the font already."""

_STEM_SNAP = (
    b"/internaldict known { 1183615869 systemdict /internaldict get exec /StemSnapLength 2 copy known { get".split(),
    b"lt } { pop pop true } ifelse } { true } ifelse { pop".split(),
)
"""The choice of a shorter list of stems for old printers, before and after the length that it asks for."""
_BRACKETS = {b"[": b"]", b"{": b"}"}
_KEYS = frozenset(
    b"/Encoding /FontBBox /FontInfo /FontMatrix /FontName /FontType /PaintType /StrokeWidth /UniqueID /WMode "
    b"/XUID".split()
)
_ENCODING = b"array 0 1 255 { 1 index exch /.notdef put } for".split()
_READ = b"{ string currentfile exch readstring pop } executeonly def".split()
_DEFINE = b"{ noaccess def } executeonly def".split()
_PUT = b"{ noaccess put } executeonly def".split()
_PROCEDURES = {b"/RD": _READ, b"/-|": _READ, b"/ND": _DEFINE, b"/|-": _DEFINE, b"/NP": _PUT, b"/|": _PUT}
_LAST = b"/FontName get exch definefont pop mark currentfile closefile".split()


def read_type1(program: bytes) -> NamedGlyphs:
    """Returns the glyphs of a program. Raises `OddProgram`."""
    clear, mark, rest = program.partition(b"currentfile eexec")
    require(clear.startswith(b"%!") and bool(mark))
    start = len(program) - len(rest.lstrip(b"\t\n\r "))
    hidden = _decrypted(program[start:], _KEY, _RANDOM_BYTES)
    try:
        encoding = _Clear(clear).read()
        private = _Private(hidden)
        charstrings = private.read()
    except (IndexError, KeyError):
        raise OddProgram from None
    require(_AFTER.fullmatch(program, start + _RANDOM_BYTES + private.at) is not None)
    said = clear + hidden[: private.at]
    require(all(said.count(word) == 1 for word in _ONLY_ONCE) and b"eexec" not in said)
    run = [bytes(one) for one in private.subroutines]
    check_accented({glyph: Type1Run(run).parts(charstring) for glyph, charstring in charstrings.items()})
    return NamedGlyphs(encoding, charstrings.keys() - {NO_GLYPH}, is_type1=True)


class _Tokens:
    """Reads PostScript from the beginning. `at`: where it is."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def next(self) -> bytes:
        while True:
            found = _TOKEN.match(self._data, self.at)
            if found is None:
                raise OddProgram
            self.at = found.end()
            if found["token"]:
                return found["token"]
            if found["string"]:
                return _STRING

    def take(self, *tokens: bytes) -> None:
        for token in tokens:
            require(self.next() == token)

    def takes(self, token: bytes) -> bool:
        """Takes the next token if it is that one."""
        at = self.at
        if self.next() == token:
            return True
        self.at = at
        return False

    def integer(self) -> int:
        token = self.next()
        require(_INTEGER.fullmatch(token) is not None)
        return int(token)

    def value(self) -> list[float] | bytes:
        """Reads numbers, in brackets or one alone, or another simple value."""
        token = self.next()
        if token in _BRACKETS:
            numbers = []
            while (number := self.next()) != _BRACKETS[token]:
                require(_NUMBER.fullmatch(number) is not None)
                numbers.append(float(number))
            return numbers
        if _NUMBER.fullmatch(token):
            return [float(token)]
        require(token in {b"true", b"false", _STRING} or token.startswith(b"/"))
        return token

    def entries(self, end: bytes) -> dict[bytes, list[float] | bytes]:
        """Reads entries up to the token `end`. An entry stands there once."""
        found = dict[bytes, list[float] | bytes]()
        while (key := self.next()) != end:
            require(key.startswith(b"/") and key not in found)
            found[key] = self.entry(key)
        return found

    def entry(self, _key: bytes) -> list[float] | bytes:
        value = self.value()
        self.definition()
        return value

    def definition(self) -> None:
        token = self.next()
        require((self.next() if token in {b"readonly", b"noaccess"} else token) in {b"def", b"ND", b"|-"})


class _Clear(_Tokens):
    """What stands before the encrypted part."""

    def read(self) -> Mapping[int, str]:
        """Returns the encoding."""
        self._encoding: Mapping[int, str] = {}
        if self.takes(b"FontDirectory"):
            self._known()
        self.integer()
        self.take(b"dict", b"begin")
        found = self.entries(b"currentdict")
        self.take(b"end")
        require(found.keys() >= {b"/Encoding", b"/FontMatrix", b"/FontBBox"} and found.keys() <= _KEYS)
        require(found[b"/PaintType"] == [0] and found[b"/FontType"] == [1])
        require(not _TOKEN.match(self._data, self.at))
        return self._encoding

    def entry(self, key: bytes) -> list[float] | bytes:
        if key == b"/Encoding":
            self._encoding = self._read_encoding()
        elif key == b"/FontInfo":
            self.integer()
            self.take(b"dict")
            is_copy = self.takes(b"dup")
            self.take(b"begin")
            self.entries(b"end" if is_copy else b"currentdict")
            if not is_copy:
                self.take(b"end")
        else:
            return super().entry(key)
        self.definition()
        return []

    def _read_encoding(self) -> Mapping[int, str]:
        if self.takes(b"StandardEncoding"):
            return STANDARD
        self.take(b"256", *_ENCODING)
        encoding = dict[int, str]()
        while self.takes(b"dup"):
            code, glyph = self.integer(), self.next()
            require(code < 256 and code not in encoding and glyph.startswith(b"/"))
            encoding[code] = glyph[1:].decode("latin-1")
            self.take(b"put")
        return {code: glyph for code, glyph in encoding.items() if glyph != NO_GLYPH}

    def _known(self) -> None:
        tokens, ends = [b"FontDirectory"], 0
        while ends < 3:
            tokens.append(self.next())
            ends += tokens[-1] == b"ifelse"
            require(len(tokens) < 60)
        require(_KNOWN.fullmatch(b" ".join(tokens)) is not None)


class _Private(_Tokens):
    """The encrypted part. `subroutines`: those of charstrings, without encryption."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.subroutines: list[bytes] = []
        self._random_bytes = _RANDOM_BYTES

    def read(self) -> dict[str, bytes]:
        """Returns the charstrings by the names of their glyphs."""
        self.take(b"dup", b"/Private")
        self.integer()
        self.take(b"dict", b"dup", b"begin")
        self.entries(b"2")
        self.take(b"index", b"/CharStrings")
        most, found = self.integer(), dict[str, bytes]()
        self.take(b"dict", b"dup", b"begin")
        while (glyph := self.next()) != b"end":
            name = glyph[1:].decode("latin-1")
            require(glyph.startswith(b"/") and name not in found)
            found[name] = self._charstring()
            self.definition()
        require(len(found) <= most)
        self.take(b"end", b"readonly", b"put")
        self.takes(b"noaccess")
        self.take(b"put", b"dup", *_LAST)
        return found

    def entry(self, key: bytes) -> list[float] | bytes:
        if key in _PROCEDURES:
            self.take(*_PROCEDURES[key])
            return []
        if key == b"/OtherSubrs":
            self._hint_procedures()
        elif key == b"/Subrs":
            self._read_subroutines()
        else:
            value = self.value()
            if self.takes(b"systemdict"):
                self.take(*_STEM_SNAP[0])
                self.integer()
                self.take(*_STEM_SNAP[1])
                self.value()
                self.take(b"}", b"if")
            self.definition()
            if key == b"/lenIV":
                require(not self.subroutines and value in ([0], [1], [2], [3], [4]))
                self._random_bytes = int(value[0])
            return value
        self.definition()
        return []

    def _hint_procedures(self) -> None:
        tokens, depth = list[bytes](), 0
        while depth or not tokens:
            tokens.append(self.next())
            depth += (tokens[-1] in _BRACKETS) - (tokens[-1] in _BRACKETS.values())
        require(sha256(b" ".join(tokens)).hexdigest() in _HINT_PROCEDURES)

    def _read_subroutines(self) -> None:
        count, found = self.integer(), dict[int, bytes]()
        self.take(b"array")
        while self.takes(b"dup"):
            number = self.integer()
            require(number < count and number not in found)
            found[number] = self._charstring()
            if self.takes(b"noaccess"):
                self.take(b"put")
            else:
                require(self.next() in {b"NP", b"|", b"put"})
        self.subroutines = [found.get(number, b"") for number in range(max(found, default=-1) + 1)]

    def _charstring(self) -> bytes:
        length = self.integer()
        require(self.next() in {b"RD", b"-|"} and self._data[self.at] == ord(" "))
        start = self.at + 1
        self.at = start + length
        require(self.at <= len(self._data) and length >= self._random_bytes)
        return _decrypted(self._data[start : self.at], _CHARSTRING_KEY, self._random_bytes)


def _decrypted(data: bytes, key: int, random_bytes: int) -> bytes:
    decrypted = bytearray()
    for byte in data:
        decrypted.append(byte ^ key >> 8)
        key = (byte + key) * 52_845 + 22_719 & 0xFFFF
    return bytes(decrypted[random_bytes:])

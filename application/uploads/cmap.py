"""CMaps that a PDF embeds, which map the codes of a composite font to its glyphs, in one strict form.

ISO 32000-2, 9.7.5, and Adobe's technical notes 5014 and 5099. A CMap is a PostScript program, of which readers search
for different parts. `read_cmap` takes those that nothing but the usual parts make up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from application.uploads.charstrings import OddProgram

_TOKEN = re.compile(
    rb"[\0\t\n\x0c\r ]*+(?:%[^\r\n]*+[\0\t\n\x0c\r ]*+)*+"
    rb"(<[0-9A-Fa-f]++>|<<|>>|\[|\]|/?+[^\0\t\n\x0c\r ()<>\[\]{}/%]++|\([^()\\]*+\)|\Z)"
)
_BEFORE = frozenset(b"findresource begin dict begincmap dup def end << >> [ ]".split())
_AFTER = frozenset(b"endcmap CMapName currentdict /CMap defineresource pop end".split())
_MAPS = frozenset(b"begincidrange begincidchar".split())
_MAX_ENTRIES = 100
"""Entries of a section."""

_DATA = re.compile(rb"/[^/]++|\([^()\\]*+\)|-?+\d++(?:\.\d*+)?+")
_CIDS = 65_536


@dataclass(frozen=True, slots=True)
class CMap:
    """What a CMap says. `size`: the bytes of a code, of which `first` is the least and `last` the greatest."""

    size: int
    first: int
    last: int
    is_vertical: bool


def read_cmap(data: bytes) -> CMap:
    """Reads a CMap. Raises `OddProgram` if readers may read another."""
    tokens = iter(_tokens(data))
    is_vertical, count = _read_head(tokens)
    size, first, last = _read_space(tokens, count)
    codes = list[tuple[int, int]]()
    for token in tokens:
        if token in _AFTER:
            break
        section = next(tokens, b"")
        if not token.isdigit() or section not in _MAPS:
            raise OddProgram
        codes += _read_codes(tokens, int(token), size, is_range=section == b"begincidrange")
    if any(token not in _AFTER for token in tokens):
        raise OddProgram
    end = first - 1
    for start, stop in sorted(codes):
        if not end < start <= stop <= last:
            raise OddProgram
        end = stop
    return CMap(size, first, last, is_vertical)


def _tokens(data: bytes) -> Iterator[bytes]:
    at = 0
    while True:
        found = _TOKEN.match(data, at)
        if found is None:
            raise OddProgram
        if not found[1]:
            return
        yield found[1]
        at = found.end()


def _read_head(tokens: Iterator[bytes]) -> tuple[bool, bytes]:
    """Reads up to the first section. Returns whether the CMap is for vertical lines, and the number before it."""
    before, mode = b"", b"0"
    for token in tokens:
        if token == b"begincodespacerange":
            return mode == b"1", before
        if token not in _BEFORE and not _DATA.fullmatch(token):
            raise OddProgram
        if before == b"/WMode":
            if mode != b"0" or token not in {b"0", b"1"}:
                raise OddProgram
            mode = token
        before = token
    raise OddProgram


def _read_space(tokens: Iterator[bytes], count: bytes) -> tuple[int, int, int]:
    """Reads the one range of codes. Returns the bytes of a code, and the first and the last code."""
    first, last, end = next(tokens, b""), next(tokens, b""), next(tokens, b"")
    size = len(first) // 2 - 1
    if count != b"1" or end != b"endcodespacerange" or len(first) != len(last) or size not in {1, 2}:
        raise OddProgram
    if size == 2 and (first, last.upper()) != (b"<0000>", b"<FFFF>"):  # the bytes of a range are ranges of their own
        raise OddProgram
    return size, _code(first, size), _code(last, size)


def _read_codes(tokens: Iterator[bytes], count: int, size: int, *, is_range: bool) -> Iterator[tuple[int, int]]:
    """Yields the first and the last code of each entry of a section."""
    for _ in range(min(count, _MAX_ENTRIES)):
        first = _code(next(tokens, b""), size)
        last = _code(next(tokens, b""), size) if is_range else first
        cid = next(tokens, b"")
        if not cid.isdigit() or int(cid) + last - first >= _CIDS or first >> 8 != last >> 8:
            raise OddProgram
        yield first, last
    if next(tokens, b"") != (b"endcidrange" if is_range else b"endcidchar"):
        raise OddProgram


def _code(token: bytes, size: int) -> int:
    if len(token) != 2 * size + 2 or not token.startswith(b"<"):
        raise OddProgram
    return int(token[1:-1], 16)

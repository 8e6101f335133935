"""JPEG pictures of PDFs, in the one form that all readers decode to the same pixels (ITU-T T.81).

MuPDF, PDFium and Ghostscript share a decoder, so their agreement about a picture proves little. Other decoders take the
last of two scans, tables that follow a scan, or nothing of a picture whose codes are invalid.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO

from PIL import Image

from application.uploads.jpeg import ADOBE, APPLICATION, COMMENT, END, SCAN, START, NotAJpeg, segments

_TABLES, _CODES, _RESTARTS = 0xDB, 0xC4, 0xDD
_SEQUENTIAL = frozenset({0xC0, 0xC1})
_ADOBE_LENGTH = 12
_RGB = (82, 71, 66)
"""Numbers of components that some decoders take for the letters RGB."""

_COUNTS = frozenset({1, 3, 4})
_STUFFED = b"\xff\x00"
_RESTART = re.compile(rb"\xff[\xd0-\xd7]")
_WHOLE = b"\x00\x3f\x00"
"""All coefficients, at once and with all their bits: what a scan of a sequential picture has (B.2.3)."""

_MAX_SIZES = (11, 10)
"""Bits of the first and the other coefficients of a block, at most (F.1.2)."""

_BLOCK, _LAST, _ZEROS = 8, 63, 15

Lookup = Sequence[int]
"""The length of a code, times 256, and its symbol, by 16 bits that begin with it; 0 if none does."""


class OddJpeg(Exception):
    """A picture that decoders may show in different ways."""


@dataclass(frozen=True, slots=True)
class _Component:
    number: int
    across: int
    down: int


@dataclass(slots=True)
class _Picture:
    """What has been read of a picture. `codes`: by class (0 for first coefficients) and number."""

    width: int = 0
    height: int = 0
    components: Sequence[_Component] = ()
    codes: dict[tuple[int, int], Lookup] = field(default_factory=dict)
    restarts: int = 0
    adobe: int | None = None
    has_begun: bool = False
    scanned: set[int] = field(default_factory=set)


def check_jpeg(data: bytes, width: int, height: int) -> int:
    """Returns the components of a sequential picture of that size. Raises `OddJpeg`. Takes a second a megabyte."""
    picture = _Picture()
    kind = None
    try:
        for kind, segment in segments(data):
            _follow(picture, kind, segment)
    except (NotAJpeg, IndexError, ZeroDivisionError):
        raise OddJpeg from None
    numbers = tuple(one.number for one in picture.components)
    if kind != END or picture.scanned != set(numbers) or (picture.width, picture.height) != (width, height):
        raise OddJpeg
    if numbers == _RGB and picture.adobe is None:
        raise OddJpeg
    return len(numbers)


def written_anew(data: bytes, size: tuple[int, int]) -> tuple[bytes, int]:
    """Returns a picture of that size in the plain form, from its pixels, and its components. Raises `OddJpeg`."""
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as opened:
            if opened.size != size:
                raise OddJpeg
            opened.load()
            written = BytesIO()
            opened.save(written, "JPEG", quality="keep")  # the same tables, so hardly another pixel
            return written.getvalue(), len(opened.getbands())
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise OddJpeg from None


def _follow(picture: _Picture, kind: int, segment: bytes) -> None:
    body = segment.lstrip(b"\xff")[3:]
    if kind in _SEQUENTIAL:
        _read_frame(picture, body)
    elif kind == _CODES:
        _read_codes(picture, body)
    elif kind == _RESTARTS:
        picture.restarts = int.from_bytes(body[:2], "big")
    elif kind == ADOBE and body.startswith(b"Adobe"):
        if picture.adobe is not None or picture.components or len(body) < _ADOBE_LENGTH:
            raise OddJpeg
        picture.adobe = body[11]
    elif kind == SCAN:
        _read_scan(picture, body)
    elif kind == START and not picture.has_begun:
        picture.has_begun = True
    elif kind not in APPLICATION and kind not in {COMMENT, END} and (kind != _TABLES or picture.scanned):
        raise OddJpeg


def _read_frame(picture: _Picture, body: bytes) -> None:
    count = body[5]
    if picture.components or body[0] != _BLOCK or count not in _COUNTS or len(body) != 6 + 3 * count:
        raise OddJpeg
    picture.height, picture.width = int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:5], "big")
    picture.components = [_Component(body[at], body[at + 1] >> 4, body[at + 1] & 15) for at in range(6, len(body), 3)]
    if len({one.number for one in picture.components}) != count:
        raise OddJpeg
    if not all(1 <= one.across <= 4 and 1 <= one.down <= 4 for one in picture.components):
        raise OddJpeg


def _read_codes(picture: _Picture, body: bytes) -> None:
    at = 0
    while at < len(body):
        counts = body[at + 1 : at + 17]
        symbols = body[at + 17 : at + 17 + sum(counts)]
        picture.codes[body[at] >> 4, body[at] & 15] = _lookup(counts, symbols)
        at += 17 + len(symbols)


def _lookup(counts: bytes, symbols: bytes) -> Lookup:
    if len(counts) != 16 or len(symbols) != sum(counts):
        raise OddJpeg
    found, place = list[int](), 0
    for length, count in enumerate(counts, 1):
        for symbol in symbols[place : place + count]:
            found += [length << 8 | symbol] * (1 << (16 - length))
        place += count
    if len(found) > 1 << 16:
        raise OddJpeg
    return found + [0] * ((1 << 16) - len(found))


def _read_scan(picture: _Picture, body: bytes) -> None:
    count = body[0]
    chosen = {body[1 + 2 * place]: body[2 + 2 * place] for place in range(count)}
    start = 1 + 2 * count + len(_WHOLE)
    if len(chosen) != count or body[start - len(_WHOLE) : start] != _WHOLE or chosen.keys() & picture.scanned:
        raise OddJpeg
    components = [one for one in picture.components if one.number in chosen]
    if not components or len(components) != count:
        raise OddJpeg
    picture.scanned |= chosen.keys()
    blocks = [
        (picture.codes.get((0, chosen[one.number] >> 4)), picture.codes.get((1, chosen[one.number] & 15)))
        for one in components
        for _ in range(one.across * one.down if count > 1 else 1)
    ]
    units = _units(picture, components)
    parts = _RESTART.split(body[start:])
    marks = [mark[1] & 7 for mark in _RESTART.findall(body[start:])]
    step = picture.restarts or units
    if len(parts) != -(-units // step) or marks != [place % 8 for place in range(len(marks))]:
        raise OddJpeg
    for place, part in enumerate(parts):
        _check_codes(part, blocks, min(step, units - place * step))


def _units(picture: _Picture, components: Sequence[_Component]) -> int:
    """Returns the number of units that a scan consists of (A.2)."""
    across = max(one.across for one in picture.components)
    down = max(one.down for one in picture.components)
    if len(components) > 1:
        return -(-picture.width // (_BLOCK * across)) * -(-picture.height // (_BLOCK * down))
    width = -(-picture.width * components[0].across // across)
    height = -(-picture.height * components[0].down // down)
    return -(-width // _BLOCK) * -(-height // _BLOCK)


def _check_codes(part: bytes, blocks: Sequence[tuple[Lookup | None, Lookup | None]], units: int) -> None:
    """Decodes the codes of `units` units (F.2.2), which must fill `part` but for less than a byte."""
    data = part.replace(_STUFFED, b"\xff")
    if part.count(b"\xff") != part.count(_STUFFED) or any(None in tables for tables in blocks):
        raise OddJpeg
    size, at = 8 * len(data), 0
    data += bytes(_BLOCK * _BLOCK * 4)
    for _ in range(units):
        for first, others in blocks:
            at = _end_of_block(data, at, first or (), others or ())
            if at > size:
                raise OddJpeg
    if size - at >= _BLOCK:
        raise OddJpeg


def _end_of_block(data: bytes, at: int, first: Lookup, others: Lookup) -> int:
    """Returns the bit behind the block that begins at bit `at`."""
    byte = at >> 3
    code = first[(data[byte] << 16 | data[byte + 1] << 8 | data[byte + 2]) >> (8 - (at & 7)) & 0xFFFF]
    at += (code >> 8) + (code & 255)
    if not code or code & 255 > _MAX_SIZES[0]:
        raise OddJpeg
    place = 1
    while place <= _LAST:
        byte = at >> 3
        code = others[(data[byte] << 16 | data[byte + 1] << 8 | data[byte + 2]) >> (8 - (at & 7)) & 0xFFFF]
        bits, zeros = code & 15, code >> 4 & 15
        at += (code >> 8) + bits
        if not bits and zeros != _ZEROS:
            if zeros or not code:
                raise OddJpeg
            break
        place += zeros + 1
        if bits > _MAX_SIZES[1]:
            raise OddJpeg
    if place > _LAST + 1:
        raise OddJpeg
    return at

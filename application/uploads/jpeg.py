"""Strips metadata from JPEG files without decoding them (ITU-T T.81, B.1)."""

from collections.abc import Iterator

START, END, SCAN = 0xD8, 0xD9, 0xDA
COMMENT = 0xFE
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8})  # start of frame; 0xC4 has tables, 0xC8 is unused
_SUPPORTED = frozenset({0xC0, 0xC1, 0xC2})  # sequential and progressive, with Huffman codes
APPLICATION = range(0xE0, 0xF0)
_JFIF, ADOBE = 0xE0, 0xEE
_BARE_JFIF = 18  # bytes of the segment without a thumbnail, with its marker
_NO_MARKER = frozenset({0x00, *range(0xD0, 0xD8)})  # after 0xFF inside a scan: a stuffed byte, or a restart


class NotAJpeg(ValueError):
    """A segment is missing or damaged, or the coding is arithmetic or lossless."""


def strip(content: bytes) -> bytes:
    """Returns `content` without Exif, XMP, comments, profiles, thumbnails and trailing data. Raises `NotAJpeg`."""
    return b"".join(segment for kind, segment in segments(content) if _belongs(kind, segment))


def _belongs(kind: int, segment: bytes) -> bool:
    if kind == _JFIF:
        return segment[4:9] == b"JFIF\0" and len(segment) == _BARE_JFIF
    if kind == ADOBE:
        return segment[4:9] == b"Adobe"  # the colour transform
    return kind not in APPLICATION and kind != COMMENT


def segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the kind and bytes of each segment; a scan includes its data."""
    at = 0
    while True:
        at = _marker(content, at)
        kind = content[at + 1]
        if kind in {START, END}:
            yield kind, content[at : at + 2]
            at += 2
            if kind == END:
                return
            continue
        if kind in _FRAMES - _SUPPORTED:
            raise NotAJpeg("the coding is arithmetic or lossless")
        length = int.from_bytes(content[at + 2 : at + 4], "big")
        end = at + 2 + length
        if length < 2 or end > len(content):
            raise NotAJpeg("a segment is cut off")
        if kind == SCAN:
            end = _end_of_scan(content, end)
        yield kind, content[at:end]
        at = end


def _marker(content: bytes, at: int) -> int:
    """Returns the position of the last 0xFF of the marker at `at`; fill bytes (0xFF) may precede it."""
    if content[at : at + 1] != b"\xff":
        raise NotAJpeg("no segment begins where one ends")
    while content[at + 1 : at + 2] == b"\xff":
        at += 1
    if at + 1 >= len(content):
        raise NotAJpeg("the end is missing")
    return at


def _end_of_scan(content: bytes, at: int) -> int:
    """Returns the position of the segment after the scan data at `at`."""
    while True:
        at = content.find(b"\xff", at)
        if at < 0 or at + 1 >= len(content):
            raise NotAJpeg("the end is missing")
        if content[at + 1] not in _NO_MARKER and content[at + 1] != 0xFF:
            return at
        at += 1 if content[at + 1] == 0xFF else 2

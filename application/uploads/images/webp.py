"""The size of a WebP as its first bytes say, before anything is decoded: the decoder takes memory for it at once.

WebP container specification; RFC 6386, 9.1; WebP lossless bitstream specification, 3.
"""

import struct

_HEAD = 30
_LOSSY, _LOSSLESS, _EXTENDED = b"VP8 ", b"VP8L", b"VP8X"


def size(content: bytes) -> tuple[int, int]:
    """Width and height in pixels; nothing by nothing for what does not begin as a WebP."""
    head = content[:_HEAD]
    if len(head) < _HEAD or head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return 0, 0
    kind = head[12:16]
    if kind == _EXTENDED:
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    if kind == _LOSSLESS:
        (bits,) = struct.unpack_from("<I", head, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == _LOSSY:
        width, height = struct.unpack_from("<HH", head, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0

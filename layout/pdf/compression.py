"""Deflate: how streams are compressed.

By libdeflate, which comes with its package: Python's own module uses whatever zlib the machine has, and another one
gives other bytes for the same document.
"""

import deflate

_LEVEL = 1  # half the time of 6 for a twentieth more bytes


def compress(contents: bytes) -> bytes:
    """`contents` as PDF's FlateDecode reads them. Same input, same bytes, on every machine."""
    return bytes(deflate.zlib_compress(contents, _LEVEL))

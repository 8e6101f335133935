"""Pictures that were made to do harm, small as they are."""

import struct
import zlib
from io import BytesIO

from PIL import Image

from tests.layout.pictures import encoded, shades

PNG_MARK = b"\x89PNG\r\n\x1a\n"


def chunk(name: bytes, content: bytes, crc: int | None = None) -> bytes:
    """A chunk of a PNG; with `crc`, one that does not match."""
    checked = zlib.crc32(name + content) if crc is None else crc
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checked)


def png_of_zeros(width: int, height: int, rows: int | None = None) -> bytes:
    """A PNG of one bit a pixel that is all black, and true to its word unless it has fewer rows than it says."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    written = BytesIO()
    for _ in range(height if rows is None else rows):
        written.write(packer.compress(row))
    written.write(packer.flush())
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return PNG_MARK + chunk(b"IHDR", head) + chunk(b"IDAT", written.getvalue()) + chunk(b"IEND", b"")


def png_with(name: bytes, content: bytes) -> bytes:
    """A small PNG with one more chunk after its head."""
    whole = encoded(shades(8, 8))
    return whole[:33] + chunk(name, content) + whole[33:]


def png_with_wrong_crc() -> bytes:
    whole = bytearray(encoded(shades(64, 64)))
    at = whole.index(b"IDAT") + 4
    whole[at + 10] ^= 0xFF
    return bytes(whole)


def gif_of(width: int, height: int) -> bytes:
    """A GIF whose screen is large, with one frame of one pixel."""
    small = encoded(shades(1, 1), "GIF")
    return small[:6] + struct.pack("<HH", width, height) + small[10:]


def webp_of(kind: bytes, width: int, height: int) -> bytes:
    """The first bytes of a WebP of that size, followed by nothing that can be decoded."""
    heads = {
        b"VP8X": bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"),
        b"VP8L": b"\x2f" + struct.pack("<I", ((width - 1) | (height - 1) << 14) & 0xFFFFFFF) + bytes(5),
        b"VP8 ": b"\x10\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width & 0x3FFF, height & 0x3FFF),
    }
    body = b"WEBP" + kind + struct.pack("<I", 1000) + heads[kind] + bytes(990)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def jpeg_of_scans(times: int) -> bytes:
    """A progressive JPEG of many pixels whose scans come again and again, each over the whole picture."""
    whole = encoded(Image.new("L", (6000, 6000), 128), "JPEG", progressive=True, optimize=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:last] + whole[last:-2] * times + b"\xff\xd9"


SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

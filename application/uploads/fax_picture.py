"""Codes of facsimiles for pictures of one bit a pixel (ISO 32000-2, 7.4.6; ITU-T T.6).

Readers go on in different ways where codes are damaged, missing, or not of the kind that their parameters say.
"""

from io import BytesIO

from pikepdf import Dictionary, Name, Object
from PIL import Image, ImageChops, TiffImagePlugin

from application.uploads.pdf_keys import key_set

PARAMETERS = key_set("K Columns Rows BlackIs1 EndOfBlock EndOfLine EncodedByteAlign DamagedRowsBeforeError")
_NUMBERS = (Name.K, Name.Columns, Name.Rows)
_WHITE = 128
_END_BITS = 24
"""The end of the block: two ends of a line."""

Size = tuple[int, int]


def plain_parameters(size: Size) -> Dictionary:
    """Returns the parameters of the codes of a picture of that size."""
    return Dictionary(K=-1, Columns=size[0], Rows=size[1])


def fax_codes(picture: Image.Image) -> bytes:
    """Returns the codes of a picture in black and white, of mode L."""
    written = BytesIO()
    black = picture.point(lambda value: 0 if value >= _WHITE else 255, "1")
    black.save(written, "TIFF", compression="group4", strip_size=picture.width * picture.height)
    written.seek(0)
    with TiffImagePlugin.TiffImageFile(written) as opened:
        tags = opened.tag_v2
        (start,), (length,) = tags[TiffImagePlugin.STRIPOFFSETS], tags[TiffImagePlugin.STRIPBYTECOUNTS]
    return written.getvalue()[start : start + length]


def has_plain_codes(data: bytes, parameters: Object | None, picture: Image.Image) -> bool:
    """Returns whether `data` begin with the codes that an encoder writes for `picture`."""
    if not isinstance(parameters, Dictionary) or not _are_plain(parameters, picture.size):
        return False
    codes = fax_codes(ImageChops.invert(picture) if parameters.get(Name.BlackIs1, False) else picture)
    bits = int.from_bytes(codes, "big")
    spare = (bits & -bits).bit_length() - 1
    used = 8 * len(codes) - spare - _END_BITS
    whole = -(-used // 8)
    given = int.from_bytes(data[:whole], "big")
    return len(data) >= whole and given >> 8 * whole - used == bits >> 8 * len(codes) - used


def _are_plain(parameters: Dictionary, size: Size) -> bool:
    if not PARAMETERS.issuperset(parameters.keys()):
        return False
    kind, columns, rows = (parameters.get(key, 0) for key in _NUMBERS)
    if not all(isinstance(number, int) for number in (kind, columns, rows)):
        return False
    is_of_size = kind == -1 and columns == size[0] and rows in {0, size[1]}
    others = [parameters.get(key, False) for key in (Name.EndOfLine, Name.EncodedByteAlign)]
    return is_of_size and isinstance(parameters.get(Name.BlackIs1, False), bool) and others == [False, False]

"""Pictures inside PDF files: JPEG as it is, everything else as pixels, its transparency as a soft mask.

ISO 32000-1, 8.9.5 and 11.6.5. Same picture, same bytes.
"""

from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageChops

from layout.images import ImageFile
from layout.pdf.deflating import deflated
from layout.pdf.file import NewFile

_JPEG = b"\xff\xd8\xff"
_SPACES = {"L": "DeviceGray", "RGB": "DeviceRGB"}
_CACHED = 16
_LARGEST_CACHED = 500_000
"""Bytes: logos are shown by many documents, photographs by one."""


class _Samples(NamedTuple):
    """One image object: how its stream is to be read, and the stream."""

    entries: str
    stream: bytes


class _Embedded(NamedTuple):
    """A picture and, if parts of it can be seen through, its mask."""

    picture: _Samples
    mask: _Samples | None


def add_image(file: NewFile, image: ImageFile) -> int:
    """Writes `image` into `file`; its object number."""
    embed = _embed_again if len(image.content) <= _LARGEST_CACHED else _embed
    embedded = embed(image.content)
    entries = embedded.picture.entries
    if embedded.mask is not None:
        mask = file.reserve()
        file.define_stream(mask, *embedded.mask, plain=True)
        entries += f"/SMask {mask} 0 R"
    number = file.reserve()
    file.define_stream(number, entries, embedded.picture.stream, plain=True)
    return number


def _embed(content: bytes) -> _Embedded:
    with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as opened:
        if content.startswith(_JPEG) and opened.mode in _SPACES:
            return _Embedded(_Samples(f"{_head(opened)}/Filter/DCTDecode", content), None)
        if not opened.has_transparency_data:
            return _Embedded(_samples(opened.convert(_plain_mode(opened))), None)
        pixels = opened.convert("RGBA")
        alpha = pixels.getchannel("A")
        colours = _samples(pixels.convert(_plain_mode(opened)))
        return _Embedded(colours, None if alpha.getextrema() == (255, 255) else _samples(alpha))


_embed_again = lru_cache(_CACHED)(_embed)


def _plain_mode(image: Image.Image) -> str:
    return "L" if image.mode in {"1", "L", "LA"} else "RGB"


def _samples(image: Image.Image) -> _Samples:
    """The pixels, or how each differs from the one to its left (which suits photographs): whatever is shorter."""
    left = Image.new(image.mode, image.size)
    left.paste(image, (1, 0))
    plain, differences = deflated(image.tobytes()), deflated(ImageChops.subtract_modulo(image, left).tobytes())
    head = f"{_head(image)}/Filter/FlateDecode"
    if len(plain) <= len(differences):
        return _Samples(head, plain)
    colours = len(image.getbands())
    return _Samples(f"{head}/DecodeParms <</Predictor 2/Colors {colours}/Columns {image.width}>>", differences)


def _head(image: Image.Image) -> str:
    return (
        f"/Type/XObject/Subtype/Image/Width {image.width}/Height {image.height}/BitsPerComponent 8"
        f"/ColorSpace/{_SPACES[image.mode]}"
    )

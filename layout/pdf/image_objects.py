"""Image objects in PDF files: JPEG unchanged, other formats as samples, transparency as a soft mask.

ISO 32000-1, 8.9.5 and 11.6.5. Deterministic.
"""

import math
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

from PIL import Image, ImageChops

from layout.frames import Image as ShownImage
from layout.pdf.file_writer import NewFile, compress

_JPEG = b"\xff\xd8\xff"
_SPACES = {"L": "DeviceGray", "RGB": "DeviceRGB"}
DOTS_TO_THE_INCH = 600
"""Maximum resolution of an image at its widest place. Larger images are scaled down: 40 megapixels take a second and
0.2 GB to decode, and several times as much to write.
"""

_POINTS_TO_THE_INCH = 72
_LARGE = 2_000_000  # pixels
_ROWS_TRIED = 64
_CACHED = 16
_MAX_CACHED = 500_000
"""Maximum size of a cached image in bytes: logos appear in many documents, photographs in one."""


class _Samples(NamedTuple):
    """The dictionary entries and the stream of an image object."""

    entries: str
    stream: bytes


class _Embedded(NamedTuple):
    """An image, and its soft mask if it has transparency."""

    image: _Samples
    mask: _Samples | None


def add_image(file: NewFile, image: ShownImage) -> int:
    """Writes `image` into `file`, scaled down to the maximum resolution; returns its object number."""
    content = image.file.content
    embed = _embed_again if len(content) <= _MAX_CACHED else _embed
    embedded = embed(content, math.ceil(image.rect.w / _POINTS_TO_THE_INCH * DOTS_TO_THE_INCH))
    entries = embedded.image.entries
    if embedded.mask is not None:
        mask = file.reserve()
        file.define_stream(mask, *embedded.mask, plain=True)
        entries += f"/SMask {mask} 0 R"
    number = file.reserve()
    file.define_stream(number, entries, embedded.image.stream, plain=True)
    return number


def _embed(content: bytes, most: int) -> _Embedded:
    """Encodes an image, scaled down to `most` pixels in width."""
    with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as opened:
        if content.startswith(_JPEG) and opened.mode in _SPACES:
            return _Embedded(_Samples(f"{_head(opened)}/Filter/DCTDecode", content), None)
        mode = "L" if opened.mode in {"1", "L", "LA"} else "RGB"
        if not opened.has_transparency_data:
            return _Embedded(_samples(_narrowed(opened.convert(mode) if opened.mode != mode else opened, most)), None)
        pixels = _narrowed(opened.convert("RGBA") if opened.mode != "RGBA" else opened, most)
        alpha = pixels.getchannel("A")
        colours = _samples(pixels.convert(mode))
        return _Embedded(colours, None if alpha.getextrema() == (255, 255) else _samples(alpha))


_embed_again = lru_cache(_CACHED)(_embed)


def _narrowed(image: Image.Image, most: int) -> Image.Image:
    """Scales an image down to `most` pixels in width."""
    if image.width <= most:
        return image
    return image.resize((most, max(1, round(image.height * most / image.width))), Image.Resampling.HAMMING)


def _samples(image: Image.Image) -> _Samples:
    """Encodes pixels with or without the TIFF predictor, whichever is shorter. A large image is judged by some rows."""
    head = f"{_head(image)}/Filter/FlateDecode"
    with_differences = f"{head}/DecodeParms <</Predictor 2/Colors {len(image.getbands())}/Columns {image.width}>>"
    if image.width * image.height > _LARGE:
        tried = _samples(image.crop((0, image.height // 2, image.width, image.height // 2 + _ROWS_TRIED)))
        if "/Predictor" in tried.entries:
            return _Samples(with_differences, compress(_differences(image).tobytes()))
        return _Samples(head, compress(image.tobytes()))
    plain, differences = compress(image.tobytes()), compress(_differences(image).tobytes())
    return _Samples(head, plain) if len(plain) <= len(differences) else _Samples(with_differences, differences)


def _differences(image: Image.Image) -> Image.Image:
    left = Image.new(image.mode, image.size)
    left.paste(image, (1, 0))
    return ImageChops.subtract_modulo(image, left)


def _head(image: Image.Image) -> str:
    return (
        f"/Type/XObject/Subtype/Image/Width {image.width}/Height {image.height}/BitsPerComponent 8"
        f"/ColorSpace/{_SPACES[image.mode]}"
    )
